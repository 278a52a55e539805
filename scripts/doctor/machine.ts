/** Checks of this machine: configuration, content, clock, disk and permissions. */
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  readFileSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FULL_DISK_BYTES } from '../../src/limits.ts';
import { paymentProvider } from '../../src/payments/start-payments.server.ts';
import { reason } from '../../src/platform/config/cannot-start.server.ts';
import { SQLITE_FILE } from '../../src/platform/database/sqlite.server.ts';
import { type Check, type Report, request } from './report.ts';

export const checkConfiguration: Check = (report, { env }) => {
  report.ok('every variable is valid');
  if (env.admin.demo)
    report.warning(
      'the staff account has the demo password',
      'Set ADMIN_PASSWORD before strangers may reach the site.',
    );
  if (env.publicUrl?.startsWith('https:') && env.trustProxy === 0)
    report.warning(
      'TRUST_PROXY is 0, so all visitors behind a proxy share its address and its limits',
      'Set TRUST_PROXY to the number of proxies in front.',
    );
  if (env.hsts === 'trial')
    report.warning(
      'HSTS is trial: browsers keep to https for a day',
      'Once the site has been well behind its certificate for a week, set HSTS=host.',
    );
};

/** Words that only the shipped example content has. */
const EXAMPLE = /Tidewell|EXAMPLE|\.example\b|\b555[- ]?01\d\d\b/g;
/** The example's, beside the program. */
const SHIPPED = 'content';
/** What shows the company, or binds it. */
const OWN = /^(pages\/|pictures\/(logo|favicon|social|icon|apple))/;

export const checkContent: Check = async (report, { env }) => {
  const { contentDir: folder } = env;
  const isSold = (await paymentProvider(env)).chargesRealMoney;
  const say = (text: string, cure: string) =>
    isSold ? report.error(text, cure) : report.warning(text, cure);
  // Without the smaller variants of pictures.
  const files = globSync('**/*.{json,md,jpg,png,svg,ico}', { cwd: folder }).sort();
  const mentions = files.flatMap((file) => {
    if (!/\.(json|md)$/.test(file)) return [];
    const words = new Set(readFileSync(join(folder, file), 'utf8').match(EXAMPLE));
    return words.size > 0 ? [`${file} (${[...words].join(', ')})`] : [];
  });
  const cure = 'Write your own company into these files; docs/go-live.md says what belongs there.';
  if (mentions.length > 0)
    say(`in ${folder} the example company is still in ${mentions.join(' and ')}`, cure);
  else report.ok('nothing speaks of the example company');
  if (resolve(folder) === resolve(SHIPPED)) {
    if (mentions.length === 0)
      report.warning(
        'your content is in the folder of the program, which an upgrade replaces',
        'Move it elsewhere, and name that folder in CONTENT_DIR.',
      );
    return;
  }
  const asShipped = files.filter((file) => {
    const shipped = join(SHIPPED, file);
    return existsSync(shipped) && readFileSync(shipped).equals(readFileSync(join(folder, file)));
  });
  const [own = [], others = []] = [true, false].map((isOwn) =>
    asShipped.filter((file) => OWN.test(file) === isOwn),
  );
  if (own.length > 0) say(`pictures and pages are the example’s: ${own.join(', ')}`, cure);
  if (others.length > 0)
    report.warning(
      `files are as they were shipped: ${others.join(', ')}`,
      `See whether each fits. ${cure}`,
    );
};

/** With a wrong clock, the payment provider's events are refused and sessions end early. */
const MAX_CLOCK_ERROR_MS = 30_000;
const SYNCHRONIZED = '/run/systemd/timesync/synchronized';

export const checkClock: Check = async (report, { env }) => {
  const cure = 'Switch on the synchronization of time (systemd-timesyncd or chrony).';
  for (const url of [
    (await paymentProvider(env)).apiUrl,
    env.teams?.webhookUrl,
    env.oidc?.issuer,
  ]) {
    if (!url) continue;
    const { origin, hostname } = new URL(url);
    const answer = await request(origin, { method: 'HEAD' }).catch(() => null);
    const date = answer?.headers.get('date');
    if (!date) continue;
    const off = Math.abs(Date.now() - Date.parse(date));
    const text = `${Math.floor(off / 1000)} s from the clock of ${hostname}`;
    return off > MAX_CLOCK_ERROR_MS ? report.error(text, cure) : report.ok(text);
  }
  if (existsSync(SYNCHRONIZED)) return report.ok('synchronized by systemd-timesyncd');
  report.warning('there is nothing to compare the clock with', cure);
};

const MB = 1024 * 1024;
const MIN_FREE_MB = FULL_DISK_BYTES / MB;

export const checkDisk: Check = (report, { env: { databaseUrl, dataDir, logMaxMb } }) => {
  if (databaseUrl) return report.ok("the database's disk is its server's");
  if (!isWritable(report, dataDir)) return;
  const { bavail, bsize } = statfsSync(dataDir);
  const free = Math.floor((bavail * bsize) / MB);
  const file = join(dataDir, SQLITE_FILE);
  const used = existsSync(file) ? statSync(file).size / MB : 0;
  const neededMb = Math.ceil(Math.max(MIN_FREE_MB, logMaxMb - used));
  const text = `${free} MB are free in ${dataDir}`;
  const cure = `Make room for ${neededMb} MB, or lower LOG_MAX_MB.`;
  if (free < MIN_FREE_MB) return report.error(text, cure);
  if (free < neededMb) return report.warning(`${text}, and the access log may need more`, cure);
  report.ok(text);
};

/** The folder, or the one above it in which the first start makes it. */
function isWritable(report: Report, dataDir: string): boolean {
  let above = resolve(dataDir);
  while (!existsSync(above)) above = dirname(above);
  try {
    accessSync(`${above}/.`, constants.W_OK);
  } catch (error) {
    report.error(
      `${dataDir} cannot be used: ${reason(error)}`,
      'Make it for the user of the server, or name another folder in DATA_DIR.',
    );
    return false;
  }
  if (above === resolve(dataDir)) return true;
  report.ok(`${dataDir} is made at the first start`);
  return false;
}

const OTHERS = 0o077;
/** The sticky bit of a shared folder such as /tmp, which must stay open to all. */
const SHARED_FOLDER = 0o1000;

export const checkPermissions: Check = (report, { env: { databaseUrl, dataDir } }) => {
  if (databaseUrl) return;
  for (const path of [dataDir, join(dataDir, SQLITE_FILE)]) {
    if (!existsSync(path)) continue;
    const { mode, uid } = statSync(path);
    if (uid !== process.getuid?.())
      report.warning(
        `${path} belongs to another user than this command's`,
        'Run this as the user of the server; the server needs to own DATA_DIR and what is in it.',
      );
    else if ((mode & OTHERS) !== 0 && (mode & SHARED_FOLDER) === 0)
      report.warning(
        `${path} can be read by other users of this machine`,
        `chmod -R go= ${dataDir} (the next start does it where it may).`,
      );
    else report.ok(`${path} is the server's alone`);
  }
};
