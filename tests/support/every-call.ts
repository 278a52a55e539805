/**
 * Every call with what it owes: one that is added without a row fails the walk, the hostile variants and the
 * generated requests, which all read this list.
 */
import type { Call } from '../../src/platform/http/call.server.ts';
import { type Caller, type CallRow, SAMPLE_MESSAGE, SAMPLE_ORDER, type Scene } from './call-row.ts';
import { CALL_ROWS } from './call-rows.ts';
import type { TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

export interface KnownCall {
  name: string;
  call: Call;
  row: CallRow;
}

/** Every call that the site has registered, with its row; throws for one that has none. */
export function everyCall(app: TestApp): KnownCall[] {
  return app.site.calls.map((call) => {
    const name = `${call.method} ${call.path}`;
    const row = CALL_ROWS[name];
    if (!row) throw new Error(`${name} has no row in tests/support/call-rows.ts`);
    return { name, call, row };
  });
}

/** The names of rows whose call is gone. */
export function rowsWithoutCall(app: TestApp): string[] {
  const known = new Set(everyCall(app).map(({ name }) => name));
  return Object.keys(CALL_ROWS).filter((name) => !known.has(name));
}

export async function makeScene(app: TestApp): Promise<Scene> {
  const owner = app.visitor();
  const { status, json } = await owner.post('/api/create-payment-intent', SAMPLE_ORDER);
  if (status !== 200) throw new Error(`no order could be made: ${status}`);
  await owner.post('/api/contact', SAMPLE_MESSAGE);
  await owner.post('/api/teams-chat', SAMPLE_MESSAGE);
  return { owner, orderId: json.orderId, clientSecret: json.clientSecret };
}

/** Sends the well-formed request of a row. */
export function ask(caller: Visitor, { call, row }: KnownCall, scene: Scene, as: Caller) {
  const path = row.path?.(scene) ?? call.path;
  if (call.method === 'GET') return caller.get(path);
  return caller.post(path, row.body?.(scene, as));
}
