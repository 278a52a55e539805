/**
 * Pairs every registered call with its row in call-rows.ts. A new call without a row fails every
 * test that goes through the calls: permissions, hostile variants and generated requests.
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

/** Throws for a call that has no row. */
export function everyCall(app: TestApp): KnownCall[] {
  return app.site.calls.map((call) => {
    const name = `${call.method} ${call.path}`;
    const row = CALL_ROWS[name];
    if (!row) throw new Error(`${name} has no row in tests/support/call-rows.ts`);
    return { name, call, row };
  });
}

/** Names of rows whose call no longer exists. */
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

/** The path of a row's request; unless the row names one, the id in it does not exist. */
export function pathOf({ call, row }: KnownCall, scene: Scene): string {
  return row.path?.(scene) ?? call.path.replace(/:\w+/, '999999');
}

/** Sends a row's well-formed request. */
export function ask(caller: Visitor, known: KnownCall, scene: Scene, as: Caller) {
  const path = pathOf(known, scene);
  return known.call.method === 'GET'
    ? caller.get(path)
    : caller.post(path, known.row.body?.(scene, as));
}
