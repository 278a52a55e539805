import * as z from 'zod/mini';
import { PROVIDERS } from '../orders/payment.ts';
import { count, moment } from '../platform/json-shapes.ts';

/** How the payments are connected, as staff see it. */
export const paymentHealth = z.strictObject({
  provider: z.enum(PROVIDERS),
  /** With 'test' no real card is charged. */
  mode: z.enum(['test', 'live']),
  /** The last event that came signed by the webhook. */
  lastEvent: z.nullable(z.strictObject({ type: z.string(), at: moment })),
  /** Events that wait until Stripe can be asked about them. */
  waiting: count,
});
export type PaymentHealth = z.output<typeof paymentHealth>;

const healthCheck = z.strictObject({
  what: z.string(),
  ok: z.boolean(),
  /** What was found, or what to do about it. */
  detail: z.string(),
});
export type HealthCheck = z.output<typeof healthCheck>;
export const healthChecks = z.array(healthCheck);
