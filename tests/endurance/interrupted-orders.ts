/** Servers that are ended while customers order and pay. */
import { expect } from 'vitest';
import { type Acknowledged, startShift } from '../support/mixed-writes.ts';
import { startServer } from '../support/server-process.ts';

/** Starts a server in each round and signals it during orders. Returns the acknowledged ones. */
export async function ordersUntil(
  signal: 'SIGTERM' | 'SIGKILL',
  variables: Record<string, string>,
  rounds: number,
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer(variables);
    const shift = startShift(server.address, 8, `round-${round}`);
    // Vary the moment of the signal from round to round.
    await shift.orders(5 + ((round * 7) % 20));
    // On a busy machine, PostgreSQL may have kept some waiting too long.
    const refusedBefore = shift.refused.length;
    const { code } = await server.stop(signal);
    await shift.end();
    const refused = shift.refused.slice(refusedBefore);
    expect([code, refused]).toEqual([signal === 'SIGKILL' ? null : 0, []]);
    expect(shift.refused.filter(({ status }) => status !== 503)).toEqual([]);
    acknowledged.push(...shift.acknowledged);
  }
  return acknowledged.filter(({ orderId }) => orderId !== undefined);
}
