import type { Provider } from './payment.ts';

/** How the payments are connected, as staff see it. GET /api/admin/payments. */
export interface PaymentHealth {
  provider: Provider;
  /** With 'test' no real card is charged. */
  mode: 'test' | 'live';
  /** The last event that came signed by the webhook; time in ISO 8601. */
  lastEvent: { type: string; at: string } | null;
  /** Events that wait until Stripe can be asked about them. */
  waiting: number;
}

/** One line of POST /api/admin/payments/check. */
export interface HealthCheck {
  what: string;
  ok: boolean;
  /** What was found, or what to do about it. */
  detail: string;
}
