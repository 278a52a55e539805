/** The site as visitors reach it: by PUBLIC_URL, through whatever stands in front. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import { remoteOrigins } from '../../src/content.server.ts';
import type { Env } from '../../src/platform/config/env.server.ts';
import { headerSets } from '../../src/platform/http/headers.server.ts';
import { withDatabase } from './database.ts';
import {
  ANSWER_MS,
  type Check,
  type Circumstances,
  type Finding,
  failure,
  networkReason,
  ok,
  warning,
} from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;
const RENEW_DAYS = 14;
/** An address that is nobody's, for documents (RFC 5737). */
const FORGED = '192.0.2.77';
const READY_TRIES = 4;
/** The server looks whether it can take orders once a second at most. */
const READY_PAUSE_MS = 1500;
/** The access log is written every second or so. */
const LOG_TRIES = 20;
const LOG_PAUSE_MS = 250;

export const checkPublicUrl: Check = async (circumstances) => {
  const { publicUrl } = circumstances.env;
  if (!publicUrl)
    return [
      warning(
        'PUBLIC_URL is not set, so links in mail lead to this machine',
        'Set it to the address that visitors type, such as https://www.example.com.',
      ),
    ];
  const url = new URL(publicUrl);
  const certificate = url.protocol === 'https:' ? await checkCertificate(url) : [];
  const reached = await checkReady(publicUrl);
  if (reached.level === 'error') return [...certificate, reached];
  return [
    ...certificate,
    reached,
    ...(await checkHeaders(publicUrl, circumstances)),
    ...(await checkForwarded(publicUrl, circumstances.env)),
  ];
};

function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS), headers });
}

async function checkReady(publicUrl: string): Promise<Finding> {
  const url = `${publicUrl}/readyz`;
  try {
    let { status } = await get(url);
    // A database that was away for a moment is no finding.
    for (let tries = 1; status === 503 && tries < READY_TRIES; tries += 1) {
      await setTimeout(READY_PAUSE_MS);
      ({ status } = await get(url));
    }
    if (status === 200) return ok(`${url} answers`);
    return failure(
      `${url} answers ${status}`,
      status === 503
        ? 'The server runs and cannot take orders: its log says why.'
        : 'The proxy must hand every path on to the server, and redirect none.',
    );
  } catch (error) {
    return failure(
      `${url} does not answer: ${networkReason(error)}`,
      'Start the server, and see what the name leads to and what the proxy logs.',
    );
  }
}

/** Read also where it is no longer valid, to say why. */
async function checkCertificate({ hostname, port }: URL): Promise<Finding[]> {
  const socket = connect({
    host: hostname,
    port: Number(port || 443),
    servername: hostname,
    rejectUnauthorized: false,
    timeout: ANSWER_MS,
  });
  const timedOut = once(socket, 'timeout').then(() => socket.destroy(new Error('no answer')));
  try {
    await Promise.race([once(socket, 'secureConnect'), timedOut]);
    const ends = new Date(socket.getPeerCertificate().valid_to);
    const days = Math.floor((ends.getTime() - Date.now()) / DAY_MS);
    const cure = "Renew it; a proxy that does so by itself says in its log why it couldn't.";
    const text = `the certificate ends on ${ends.toISOString().slice(0, 10)}`;
    if (days < 0) return [failure(`${text}: it has expired`, cure)];
    return [days < RENEW_DAYS ? warning(`${text}, in ${days} days`, cure) : ok(text)];
  } catch {
    // That nobody answers is a finding already.
    return [];
  } finally {
    socket.destroy();
    timedOut.catch(() => undefined);
  }
}

async function checkHeaders(
  publicUrl: string,
  { env, content }: Circumstances,
): Promise<Finding[]> {
  if (!content) return [];
  const { site } = headerSets({
    secure: publicUrl.startsWith('https:'),
    stripe: env.stripe !== null,
    pictureOrigins: remoteOrigins(content),
  });
  const { headers } = await get(publicUrl);
  const changed = Object.keys(site).filter((name) => headers.get(name) !== site[name]);
  if (changed.length === 0) return [ok('its headers arrive as the server sends them')];
  return [
    failure(
      `these headers do not arrive as the server sends them: ${changed.join(', ')}`,
      'Remove them from the proxy: all are set by the server, and two of a kind contradict each other.',
    ),
  ];
}

/** A request that claims to be forwarded must be logged under the address that the proxy saw. */
async function checkForwarded(publicUrl: string, env: Env): Promise<Finding[]> {
  const path = `/doctor-${randomBytes(8).toString('hex')}`;
  await get(publicUrl + path, { 'X-Forwarded-For': FORGED });
  const ip = await withDatabase(env, async (db) => {
    const logged = db.selectFrom('accessLog').select('ip').where('url', '=', path);
    for (let tries = 0; tries < LOG_TRIES; tries += 1) {
      const row = await logged.executeTakeFirst();
      if (row) return row.ip;
      await setTimeout(LOG_PAUSE_MS);
    }
    return undefined;
  }).catch(() => undefined);
  if (ip === undefined)
    return [
      warning(
        'a request to PUBLIC_URL does not appear in the access log of this database',
        'PUBLIC_URL may lead to another server, or this command may have another environment than it.',
      ),
    ];
  if (ip === FORGED)
    return [
      failure(
        'a visitor can choose the address that counts for limits, by a header',
        `TRUST_PROXY is ${env.trustProxy}: set it to the number of proxies in front, and let each append to X-Forwarded-For.`,
      ),
    ];
  return [ok(`this command is seen as ${ip}`)];
}
