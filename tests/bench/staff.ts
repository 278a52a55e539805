/** A colleague's screens, and how long they take. */
import { DEMO_PASSWORD, DEMO_USERNAME } from '../../src/platform/config/env.server.ts';
import { median, timed } from './measure.ts';

const ROUNDS = 15;

export type Get = (path: string) => Promise<Response>;

export async function signIn(address: string): Promise<Get> {
  const { headers } = await fetch(`${address}/api/admin/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: address },
    body: JSON.stringify({ username: DEMO_USERNAME, password: DEMO_PASSWORD }),
  });
  const cookie = headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  return async (path) => {
    const response = await fetch(address + path, { headers: { Cookie: cookie } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response;
  };
}

/** In milliseconds, to the end of the answer. */
export async function medianOf(ask: () => Promise<Response>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    times.push(await timed(async () => (await ask()).text()));
  return median(times);
}
