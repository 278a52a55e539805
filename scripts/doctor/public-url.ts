/** Checks the site from outside: through PUBLIC_URL and the proxies in front. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import { localDate } from '../../src/company/days.ts';
import { type Content, remoteOrigins } from '../../src/content.server.ts';
import type { Env } from '../../src/env.server.ts';
import { paymentProvider } from '../../src/payments/start-payments.server.ts';
import { reason } from '../../src/platform/config/cannot-start.server.ts';
import { openUnmigrated } from '../../src/platform/database/database.server.ts';
import { headerSets } from '../../src/platform/http/headers.server.ts';
import { DAY_MS } from '../../src/platform/time.ts';
import { datedAhead } from '../../src/text-pages/published.server.ts';
import { withDatabase } from '../command.ts';
import { ANSWER_MS, type Check, type Circumstances, type Report, request } from './report.ts';

const RENEW_DAYS = 14;
/** Whoever renews it by hand is late. */
const LAST_DAYS = 7;
/** An address reserved for documentation (RFC 5737). */
const FORGED = '192.0.2.77';
/** The access log is written about once a second. */
const LOG_TRIES = 20;
const LOG_PAUSE_MS = 250;

export const checkPublicUrl: Check = async (report, circumstances) => {
  const { publicUrl } = circumstances.env;
  if (!publicUrl)
    return report.warning(
      'PUBLIC_URL is not set, so links in mail lead to this machine',
      'Set it to the address that visitors type, such as https://www.example.com.',
    );
  if (publicUrl.startsWith('https:')) await checkCertificate(report, new URL(publicUrl));
  if (!(await isReady(report, `${publicUrl}/readyz`))) return;
  await checkHeaders(report, publicUrl, circumstances);
  await checkForwarded(report, publicUrl, circumstances.env);
  await checkMetrics(report, publicUrl, circumstances.env);
  await checkRedirects(report, publicUrl, circumstances.content.redirects);
  await checkLinks(report, publicUrl, circumstances.content);
};

/** Reads the certificate even if it is invalid, to say why. */
async function checkCertificate(report: Report, { hostname, port }: URL): Promise<void> {
  const address = { host: hostname, port: Number(port || 443), servername: hostname };
  const socket = connect({ ...address, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) });
    const ends = new Date(socket.getPeerCertificate().valid_to);
    const days = Math.floor((ends.getTime() - Date.now()) / DAY_MS);
    const cure = "Renew it; a proxy that does so by itself says in its log why it couldn't.";
    const text = `the certificate ends on ${ends.toISOString().slice(0, 10)}`;
    if (days < 0) report.error(`${text}: it has expired`, cure);
    else if (days < LAST_DAYS) report.error(`${text}, in ${days} days`, cure);
    else if (days < RENEW_DAYS) report.warning(`${text}, in ${days} days`, cure);
    else report.ok(text);
  } catch {
    // The next check reports that nothing answers.
  } finally {
    socket.destroy();
  }
}

async function isReady(report: Report, url: string): Promise<boolean> {
  const answer = await request(url).then(
    ({ status }) => `answers ${status}`,
    (error) => `does not answer: ${reason(error)}`,
  );
  const isReady = answer === 'answers 200';
  const cure =
    "See the server's log, what the name leads to, and that the proxy hands every path on to the server.";
  if (isReady) report.ok(`${url} answers`);
  else report.error(`${url} ${answer}`, cure);
  return isReady;
}

/** Of a page: HEAD is no visit in the access log. */
const ask = (url: string) => request(url, { method: 'HEAD' });

async function checkHeaders(
  report: Report,
  publicUrl: string,
  { env, content }: Circumstances,
): Promise<void> {
  const { site } = headerSets({
    hsts: env.hsts,
    payment: (await paymentProvider(env)).cspSources,
    pictureOrigins: remoteOrigins(content),
  });
  const { headers } = await ask(publicUrl);
  const changed = Object.keys(site).filter((name) => headers.get(name) !== site[name]);
  if (changed.length === 0) return report.ok('its headers arrive as the server sends them');
  report.error(
    `these headers do not arrive as the server sends them: ${changed.join(', ')}`,
    'Remove them from the proxy: all are set by the server, and two of a kind contradict each other.',
  );
}

/** Follows the redirects of content/redirects.json. */
export async function checkRedirects(
  report: Report,
  publicUrl: string,
  redirects: Content['redirects'],
): Promise<void> {
  const wrong = [];
  for (const [from, to] of Object.entries(redirects)) {
    const { status, headers } = await ask(publicUrl + from);
    const target = new URL(headers.get('location') ?? from, publicUrl);
    const leads = status === 301 && target.href === new URL(to, publicUrl).href;
    if (!leads || (await ask(target.href)).status !== 200) wrong.push(from);
  }
  const all = Object.keys(redirects).length;
  if (wrong.length === 0 && all > 0) report.ok(`redirects that lead to their pages: ${all}`);
  if (wrong.length > 0)
    report.error(
      `these addresses do not lead to the pages of content/redirects.json: ${wrong.join(', ')}`,
      'Restart the server after a change of that file, and remove rules for these addresses from the proxy.',
    );
}

/** Those of the site's own that stand in texts and lists. */
export async function checkLinks(
  report: Report,
  publicUrl: string,
  { pictureFiles: _, ...content }: Content,
): Promise<void> {
  const paths = new Set<string>();
  JSON.stringify(content, (key, part: unknown) => {
    if (key === 'href' && typeof part === 'string' && part.startsWith('/'))
      paths.add(part.replace(/#.*/, ''));
    return part;
  });
  const wrong = [];
  for (const { path } of datedAhead(content, localDate(content.company, Date.now())))
    paths.delete(path);
  for (const path of paths) if ((await ask(publicUrl + path)).status >= 400) wrong.push(path);
  if (wrong.length > 0)
    report.warning(
      `links in the content lead to nothing: ${wrong.join(', ')}`,
      'Correct them, or restart the server after a change of content.',
    );
}

async function checkMetrics(
  report: Report,
  publicUrl: string,
  { metricsToken }: Env,
): Promise<void> {
  if (!metricsToken) return report.ok('METRICS_TOKEN is not set: there are no figures to read');
  const headers = { Authorization: `Bearer ${metricsToken}` };
  const { status } = await request(`${publicUrl}/metrics`, { headers });
  if (status === 200) return report.ok('Prometheus can read /metrics');
  report.warning(
    `/metrics answers ${status} to the token of METRICS_TOKEN`,
    'Restart the server with this environment; if the proxy keeps /metrics to itself, let Prometheus ask the server directly.',
  );
}

/** A request with a forged X-Forwarded-For must be logged with the address that the proxy saw. */
async function checkForwarded(report: Report, publicUrl: string, env: Env): Promise<void> {
  const path = `/doctor-${randomBytes(8).toString('hex')}`;
  await request(publicUrl + path, { headers: { 'X-Forwarded-For': FORGED } });
  const ip = await findLogged(env, path).catch(() => undefined);
  if (ip === undefined)
    report.warning(
      'a request to PUBLIC_URL does not appear in the access log of this database',
      'PUBLIC_URL may lead to another server, or this command may have another environment than it.',
    );
  else if (ip === FORGED)
    report.error(
      'a visitor can choose the address that counts for limits, by a header',
      `TRUST_PROXY is ${env.trustProxy}: set it to the number of proxies in front, and let each append to X-Forwarded-For.`,
    );
  else report.ok(`this command is seen as ${ip}`);
}

function findLogged(env: Env, path: string): Promise<string | undefined> {
  return withDatabase(openUnmigrated(env, { alongsideServer: true }), async ({ db }) => {
    const logged = db.selectFrom('accessLog').select('ip').where('url', '=', path);
    for (let tries = 0; tries < LOG_TRIES; tries += 1) {
      const row = await logged.executeTakeFirst();
      if (row) return row.ip;
      await setTimeout(LOG_PAUSE_MS);
    }
    return undefined;
  });
}
