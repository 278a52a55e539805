/** The Message-IDs of our emails, by which replies and reports name them. */
import { hash } from 'node:crypto';
import type { Row } from '../platform/database/tables.server.ts';

/** Every attempt has the same, so that mail programs recognise a duplicate. */
export function deliveryKey({ id, createdAt }: Pick<Row<'outbox'>, 'id' | 'createdAt'>): string {
  return `outbox-${id}-${createdAt.toString(36)}`;
}

/** Groups emails about a subject, and what is answered to them, in mail programs. */
export function topicKey(topic: string): string {
  return `thread-${hash('sha256', topic).slice(0, 32)}`;
}

/** The deliveries that In-Reply-To and References name, as far as these are ours. */
export function deliveriesNamed(headers: string): { id: number; createdAt: number }[] {
  return [...headers.matchAll(/<outbox-(\d{1,9})-([a-z\d]{6,10})@/g)].map(
    ([, id = '', createdAt = '']) => ({
      id: Number(id),
      createdAt: Number.parseInt(createdAt, 36),
    }),
  );
}
