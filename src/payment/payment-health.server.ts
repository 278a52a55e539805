/** Staff see whether Stripe's events arrive, and have keys, webhook and mode checked when they ask for it. */
import type { Kysely } from 'kysely';
import { answer } from '../platform/answer.server.ts';
import { type AnyCall, call } from '../platform/call.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import type { HealthCheck, PaymentHealth } from './payment-health.ts';
import { lastSigned, unsettledEvents } from './stripe-event-store.server.ts';

interface Connected {
  live: boolean;
  check(): Promise<HealthCheck[]>;
}

/** `connected` null: the test gateway takes the payments. */
export function paymentHealthCalls(db: Kysely<Tables>, connected: Connected | null): AnyCall[] {
  return [
    call({
      method: 'GET',
      path: '/api/admin/payments',
      access: 'staff',
      answer: async () =>
        answer({
          provider: connected ? 'stripe' : 'test',
          mode: connected?.live ? 'live' : 'test',
          lastEvent: await lastSigned(db),
          waiting: (await unsettledEvents(db)).length,
        } satisfies PaymentHealth),
    }),
    call({
      method: 'POST',
      path: '/api/admin/payments/check',
      access: 'staff',
      answer: async () => answer(connected ? await connected.check() : [TEST_GATEWAY]),
    }),
  ];
}

const TEST_GATEWAY: HealthCheck = {
  what: 'Provider',
  ok: true,
  detail: 'The built-in test gateway: no real card is charged. Stripe takes over with three keys.',
};
