/** The Message-IDs of our emails, by which replies and reports name them. */
import { createHmac, hash } from 'node:crypto';
import { signingKey } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';

/** Every attempt has the same, so that mail programs recognise a duplicate. */
type DeliveryKey = (delivery: Pick<Row<'outbox'>, 'id' | 'createdAt'>) => string;

/** Signed, so that no key can be guessed. */
export async function deliveryKeys(db: Db): Promise<DeliveryKey> {
  const secret = await signingKey(db, 'delivery');
  return ({ id, createdAt }) => {
    const signature = createHmac('sha256', secret).update(`${id} ${createdAt}`).digest('hex');
    return `outbox-${id}-${signature.slice(0, 32)}`;
  };
}

/** Groups emails about a subject, and what is answered to them, in mail programs. */
export function topicKey(topic: string): string {
  return `thread-${hash('sha256', topic).slice(0, 32)}`;
}

/** The deliveries that In-Reply-To and References name, as far as these look like ours. */
export function deliveriesNamed(headers: string): { id: number; key: string }[] {
  return [...headers.matchAll(/<(outbox-(\d{1,9})-[a-f\d]{32})@/g)].map(([, key = '', id]) => ({
    id: Number(id),
    key,
  }));
}
