/** The staff account as the environment names it, and the rule that keeps its demo password from strangers. */
import { LONGEST_PASSWORD, usernameField } from '../fields.ts';
import { isLoopback } from '../http/loopback.server.ts';
import type { Reader } from './env-reader.server.ts';

/** In force only while no ADMIN_PASSWORD is set; the sign-in page shows them. */
export const DEMO_USERNAME = 'admin';
export const DEMO_PASSWORD = 'showroom-demo';
/** In characters. */
export const SHORTEST_PASSWORD = 12;

interface Circumstances {
  host: string;
  publicUrl: string | null;
  trustProxy: number;
  /** DEMO_MODE=on: strangers may use the demo. */
  demoMode: boolean;
}

/** `demo`: the credentials are those that the sign-in page shows. */
export function readAdmin(read: Reader, { demoMode, ...circumstances }: Circumstances) {
  const password = read.text('ADMIN_PASSWORD');
  const ways = waysIn(circumstances);
  if ((!password || password === DEMO_PASSWORD) && !demoMode && ways.length > 0) {
    read.faults.push(
      `ADMIN_PASSWORD is ${password ? 'the demo password' : 'missing'}: strangers may reach this server (${ways.join(', ')}),` +
        ' and everyone can read the demo password (DEMO_MODE=on says that this is meant)',
    );
  }
  if (password && password.length < SHORTEST_PASSWORD) {
    read.faults.push(`ADMIN_PASSWORD must have at least ${SHORTEST_PASSWORD} characters`);
  }
  if (password && password.length > LONGEST_PASSWORD) {
    read.faults.push(`ADMIN_PASSWORD must have at most ${LONGEST_PASSWORD} characters`);
  }
  // As the sign-in reads it, or nobody could sign in under it.
  const username = usernameField().safeParse(read.text('ADMIN_USERNAME') ?? DEMO_USERNAME);
  for (const { message } of username.error?.issues ?? [])
    read.faults.push(`ADMIN_USERNAME: ${message}`);
  return {
    username: username.data ?? '',
    password: password ?? DEMO_PASSWORD,
    demo: !password,
  };
}

/** How strangers may reach the server; none while it serves this machine alone. */
function waysIn({ host, publicUrl, trustProxy }: Omit<Circumstances, 'demoMode'>): string[] {
  const publicHost = publicUrl === null ? host : new URL(publicUrl).hostname;
  return [
    ...(isLoopback(host) ? [] : [`HOST is ${host}`]),
    ...(isLoopback(publicHost) || publicHost === host ? [] : [`PUBLIC_URL names ${publicHost}`]),
    ...(trustProxy === 0 ? [] : ['TRUST_PROXY is set']),
  ];
}
