import type { Gateway } from '../orders/gateway.server.ts';
import type { Call } from '../platform/http/call.server.ts';
import type { PaymentConfig } from './payment-shapes.ts';
import type { Reconciling } from './stripe/events/reconcile-payments.server.ts';

/** A provider at work. */
export interface Payments {
  gateway: Gateway;
  /** What the browser needs to know of the provider. */
  config: PaymentConfig;
  calls: readonly Call[];
  /** Asks Stripe again and again what no webhook has told; the test gateway bills what is due. */
  reconciling: Reconciling;
}
