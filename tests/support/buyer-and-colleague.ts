/**
 * What a proxy's hostile clients must not keep from happening: an order, and a chat with its
 * answer.
 */
import { randomUUID } from 'node:crypto';
import { SAMPLE_ORDER } from './call-row.ts';
import type { Answered, Visitor } from './visitor.ts';

interface People {
  buyer: Visitor;
  staff: Visitor;
}

/** Returns the path and the milliseconds of each call; throws if one is refused. */
export async function orderAndAnswer({ buyer, staff }: People): Promise<[string, number][]> {
  const times: [string, number][] = [];
  async function done(path: string, answering: Promise<Answered>) {
    const began = performance.now();
    const { status, json } = await answering;
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
    times.push([path, performance.now() - began]);
    return json;
  }
  const post = (who: Visitor, path: string, body: object) => done(path, who.post(path, body));
  await done('/', buyer.get('/'));
  const email = `jane-${randomUUID()}@dealer.example`;
  const { clientSecret } = await post(buyer, '/api/create-payment-intent', {
    ...SAMPLE_ORDER,
    email,
  });
  await post(buyer, '/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  await post(buyer, '/api/teams-chat', { message: 'Is anybody there?' });
  const { id } = await done('/api/chat/conversation', buyer.get('/api/chat/conversation'));
  const thread = `/api/admin/threads/${id}`;
  const { entries } = await done(thread, staff.get(thread));
  const answer = { kind: 'staff', text: 'Yes.', after: entries.at(-1).id, key: randomUUID() };
  await post(staff, `${thread}/entries`, answer);
  return times;
}
