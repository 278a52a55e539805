/**
 * POST /api/stripe/webhook, where nothing is read before the signature has been checked over the raw bytes, and Stripe's
 * events that have been dealt with, each once.
 */
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Contract } from '../../../platform/contract.ts';
import type { Tables } from '../../../platform/database/tables.server.ts';
import { refuse } from '../../../platform/http/answer.server.ts';
import { type Call, call } from '../../../platform/http/call.server.ts';

/** Checked and parsed only after the signature. */
const signedText = z.string();
const received = z.strictObject({ received: z.literal(true) });

export const STRIPE_WEBHOOK: Contract<typeof signedText, typeof received> =
  'POST /api/stripe/webhook';

/** `receive` tells whether the signature was valid; it is null where Stripe is not configured. */
export function stripeWebhook(
  receive: ((body: string, signature: string) => Promise<boolean>) | null,
): Call {
  return call(STRIPE_WEBHOOK, {
    access: 'anyone',
    limit: null,
    signed: true,
    body: signedText,
    answer: received,
    handle: async ({ body, headers }) => {
      if (!receive) return refuse(503, 'Stripe is not configured');
      const valid = await receive(body, headers.get('stripe-signature') ?? '');
      return valid ? { received: true } : refuse(400, 'The signature is not valid');
    },
  });
}

type Db = Kysely<Tables>;

/** Stripe repeats an event for three days and keeps it for thirty. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export interface SeenEvent {
  id: string;
  type: string;
  orderId: number | null;
  signed: boolean;
  settled: boolean;
}

type Heard = Pick<SeenEvent, 'id' | 'signed'>;

/**
 * Whether nothing is left to be done about an event. What was only fetched and seemed to be nobody's is read again
 * when it comes signed: Stripe fetches events in the version of the account, and signs them in the endpoint's.
 */
export async function isSettled(db: Db, { id, signed }: Heard): Promise<boolean> {
  const row = await db
    .selectFrom('stripeEvents')
    .select(['settled', 'signed', 'orderId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row?.settled !== 1) return false;
  return !signed || row.signed === 1 || row.orderId !== null;
}

/** The webhook lives, also when somebody has asked faster than it came. */
export async function markSigned(db: Db, eventId: string): Promise<void> {
  await db
    .updateTable('stripeEvents')
    .set({ signed: 1, receivedAt: Date.now() })
    .where('id', '=', eventId)
    .where('signed', '=', 0)
    .execute();
}

/** Takes the event for this transaction; false when another has settled it. */
export async function takeEvent(
  trx: Db,
  { signed, settled, ...event }: SeenEvent,
): Promise<boolean> {
  const row = {
    ...event,
    signed: signed ? 1 : 0,
    settled: settled ? 1 : 0,
    receivedAt: Date.now(),
  } as const;
  const inserted = await trx
    .insertInto('stripeEvents')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows) return true;
  const updated = await trx
    .updateTable('stripeEvents')
    .set({
      settled: row.settled,
      orderId: row.orderId,
      ...(signed ? { signed: 1, receivedAt: row.receivedAt } : {}),
    })
    .where('id', '=', event.id)
    .where((eb) =>
      eb.or([
        eb('settled', '=', 0),
        ...(signed ? [eb.and([eb('signed', '=', 0), eb('orderId', 'is', null)])] : []),
      ]),
    )
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function unsettledEvents(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('stripeEvents')
    .select('id')
    .where('settled', '=', 0)
    .orderBy('receivedAt')
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}

/** Which of these have been settled, to tell those that were never heard. */
export async function settledAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('stripeEvents')
    .select('id')
    .where('settled', '=', 1)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Until when Stripe's events have all been heard; undefined when they never have. */
export async function heardUntil(db: Db, live: boolean): Promise<number | undefined> {
  const row = await db
    .selectFrom('stripeHeard')
    .select('until')
    .where('mode', '=', live ? 'live' : 'test')
    .executeTakeFirst();
  return row?.until;
}

export async function keepHeard(db: Db, live: boolean, until: number): Promise<void> {
  await db
    .insertInto('stripeHeard')
    .values({ mode: live ? 'live' : 'test', until })
    .onConflict((conflict) => conflict.column('mode').doUpdateSet({ until }))
    .execute();
}

/** The last event that came signed, for staff to see that the webhook lives. */
export async function lastSigned(db: Db): Promise<{ type: string; at: string } | null> {
  const row = await db
    .selectFrom('stripeEvents')
    .select(['type', 'receivedAt'])
    .where('signed', '=', 1)
    .orderBy('receivedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { type: row.type, at: new Date(row.receivedAt).toISOString() } : null;
}

export async function forgetOldEvents(db: Db): Promise<void> {
  await db
    .deleteFrom('stripeEvents')
    .where('receivedAt', '<', Date.now() - KEPT_MS)
    .where('settled', '=', 1)
    .execute();
}
