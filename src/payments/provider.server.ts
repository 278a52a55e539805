/** What a payment provider's folder brings to the server. docs/walks.md says how to add another. */

import type { Gateway } from '../billing/gateway.server.ts';
import type { Faults } from '../notifications/faults.server.ts';
import type { Call } from '../platform/http/call.server.ts';
import type { PaymentPolicy } from '../platform/http/headers.server.ts';
import type { Interval } from '../platform/interval.server.ts';
import type { Site } from '../site.server.ts';
import type { PaymentConfig } from './payment-api.ts';

export interface PaymentProvider {
  chargesRealMoney: boolean;
  /** What the checkout's headers allow the provider's scripts and frames. */
  cspSources: PaymentPolicy;
  /** The provider's API, whose clock this machine's must agree with; null when there is none. */
  apiUrl: string | null;
  check(report: CheckReport, publicUrl: string | null): void | Promise<void>;
  start(
    site: Pick<Site, 'db' | 'notify' | 'paymentChecks' | 'company'> & { faults: Faults },
  ): Payments;
}

/** Where a check reports what it finds; `cure` says what to do. */
export interface CheckReport {
  ok(text: string): void;
  warning(text: string, cure: string): void;
  error(text: string, cure: string): void;
}

export interface Payments {
  gateway: Gateway;
  config: PaymentConfig;
  calls: readonly Call[];
  intervals: readonly Interval[];
}
