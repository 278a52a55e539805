/** Staff see whether Stripe's events arrive, and have keys, webhook and mode checked when they ask for it. */
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { CHECK_PAYMENTS, GET_PAYMENT_HEALTH } from './payment-contracts.ts';
import { type HealthCheck, healthChecks, paymentHealth } from './payment-health.ts';
import { lastSigned, unsettledEvents } from './stripe/events/received-events.server.ts';

/** `connected` null: the test gateway takes the payments. */
export function paymentHealthCalls(
  db: Kysely<Tables>,
  connected: { live: boolean; check(): Promise<HealthCheck[]> } | null,
): Call[] {
  return [
    call(GET_PAYMENT_HEALTH, {
      access: 'staff',
      answer: paymentHealth,
      handle: async () => ({
        provider: connected ? 'stripe' : 'test',
        mode: connected?.live ? 'live' : 'test',
        lastEvent: await lastSigned(db),
        waiting: (await unsettledEvents(db)).length,
      }),
    }),
    call(CHECK_PAYMENTS, {
      access: 'staff',
      answer: healthChecks,
      handle: async () => (connected ? connected.check() : [TEST_GATEWAY]),
    }),
  ];
}

const TEST_GATEWAY: HealthCheck = {
  what: 'Provider',
  ok: true,
  detail:
    'Built-in test gateway: no real card is charged. Add the three Stripe keys to take real payments.',
};
