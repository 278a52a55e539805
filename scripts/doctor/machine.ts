/** What this machine gives the site: its configuration, content, clock, disk and folder. */
import { existsSync, globSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SQLITE_FILE } from '../../src/platform/database/sqlite.server.ts';
import { ANSWER_MS, type Check, type Finding, failure, ok, warning } from './finding.ts';

export const checkConfiguration: Check = ({ env }) => {
  const https = env.publicUrl?.startsWith('https:') ?? false;
  const found: Finding[] = [];
  if (env.admin.demo)
    found.push(
      warning(
        'the staff account has the demo password',
        'Set ADMIN_PASSWORD before strangers may reach the site.',
      ),
    );
  if (https && env.trustProxy === 0)
    found.push(
      warning(
        'TRUST_PROXY is 0, so all visitors behind a proxy share its address and its limits',
        'Set TRUST_PROXY to the number of proxies in front.',
      ),
    );
  return found.length > 0 ? found : [ok('every variable is valid')];
};

/** What the shipped content is recognised by. */
const EXAMPLE = /Tidewell|EXAMPLE|\.example\b|\b555[- ]?01\d\d\b/g;

export const checkContent: Check = ({ env, content }) => {
  if (!content) return [];
  const found = globSync('content/**/*.{json,md}').flatMap((file) => {
    const words = new Set(readFileSync(file, 'utf8').match(EXAMPLE));
    return words.size > 0 ? [`${file} (${[...words].join(', ')})`] : [];
  });
  if (found.length === 0) return [ok('nothing speaks of the example company')];
  const sells = env.stripe?.live === true;
  return [
    (sells ? failure : warning)(
      `the example company is still in ${found.sort().join(' and ')}`,
      'Write your own company into these files; docs/operations.md says what belongs there.',
    ),
  ];
};

/** Stripe refuses signatures, and browsers sessions, long before an hour. */
const CLOCK_ERROR_MS = 60_000;
const CLOCK_WARNING_MS = 5_000;
const SYNCHRONIZED = '/run/systemd/timesync/synchronized';

export const checkClock: Check = async ({ env }) => {
  const stripe = env.stripe && (env.stripe.apiUrl ?? 'https://api.stripe.com');
  const urls = [stripe, env.teams && new URL(env.teams.webhookUrl).origin, env.publicUrl];
  const cure = 'Switch on the synchronization of time (systemd-timesyncd or chrony).';
  for (const url of urls) {
    const began = Date.now();
    const date = url && (await answerDate(url));
    if (!date) continue;
    const off = Math.round((began + Date.now()) / 2 - date);
    const text = `${Math.round(Math.abs(off) / 1000)} s from the clock of ${new URL(url).hostname}`;
    if (Math.abs(off) > CLOCK_ERROR_MS) return [failure(text, cure)];
    return [Math.abs(off) > CLOCK_WARNING_MS ? warning(text, cure) : ok(text)];
  }
  if (existsSync(SYNCHRONIZED)) return [ok('synchronized by systemd-timesyncd')];
  return [warning('there is nothing to compare the clock with', cure)];
};

/** A Date header has whole seconds, half of one too few on the average. */
async function answerDate(url: string): Promise<number | undefined> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(url, { method: 'HEAD', redirect: 'manual', signal }).catch(() => null);
  const date = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date + 500;
}

const MB = 1024 * 1024;
/** Under this, the next busy day ends in refused orders. */
const LEAST_FREE_MB = 200;
/** What counts and the write-ahead log take besides the lines of the log. */
const BESIDES_LOG_MB = 120;

export const checkDisk: Check = ({ env }) => {
  if (env.databaseUrl) return [ok("the database's disk is its server's")];
  const folder = existingParent(env.dataDir);
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / MB);
  const file = join(env.dataDir, SQLITE_FILE);
  const used = existsSync(file) ? statSync(file).size / MB : 0;
  const wanted = Math.ceil(Math.max(LEAST_FREE_MB, env.logMaxMb + BESIDES_LOG_MB - used));
  const text = `${free} MB are free in ${folder}`;
  const cure = `Make room for ${wanted} MB, or lower LOG_MAX_MB.`;
  if (free < LEAST_FREE_MB) return [failure(text, cure)];
  return [free < wanted ? warning(`${text}, and the access log may need more`, cure) : ok(text)];
};

function existingParent(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) ? whole : existingParent(dirname(whole));
}

export const checkPermissions: Check = ({ env }) => {
  if (env.databaseUrl) return [];
  const { dataDir } = env;
  if (!existsSync(dataDir)) return [ok(`${dataDir} is made at the first start`)];
  const file = join(dataDir, SQLITE_FILE);
  const paths = [dataDir, ...(existsSync(file) ? [file] : [])];
  const open = paths.filter((path) => isOpen(statSync(path)));
  const strange = paths.filter((path) => statSync(path).uid !== process.getuid?.());
  const found = [
    ...strange.map((path) =>
      warning(
        `${path} belongs to another user than this command's`,
        'Run this as the user of the server; the server needs to own DATA_DIR and what is in it.',
      ),
    ),
    ...open.map((path) =>
      warning(
        `${path} can be read by other users of this machine`,
        `chmod -R go= ${dataDir} (the next start does it where it may).`,
      ),
    ),
  ];
  return found.length > 0 ? found : [ok(`${dataDir} is the server's alone`)];
};

const OTHERS = 0o077;
/** A folder such as /tmp is everybody's, and must stay so. */
const SHARED_FOLDER = 0o1000;

function isOpen({ mode }: { mode: number }): boolean {
  return (mode & OTHERS) !== 0 && (mode & SHARED_FOLDER) === 0;
}
