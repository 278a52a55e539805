/** What the features work with, and what each brings. Types alone, so that all may import it. */
import type { AccessLog } from './access-log/access-log.server.ts';
import type { Gateway } from './billing/gateway.server.ts';
import type { PaymentChecks } from './billing/refresh-order.server.ts';
import type { LiveCatalogue } from './catalogue/live-catalogue.server.ts';
import type { Company } from './company/company.ts';
import type { Content } from './content.server.ts';
import type { Env } from './env.server.ts';
import type { NotificationKind, Notify } from './notifications/notification.server.ts';
import type { Outbox } from './notifications/outbox.server.ts';
import type { TermsVersion } from './orders/accepted-terms.server.ts';
import type { PaymentConfig } from './payments/payment-api.ts';
import type { Database } from './platform/database/database.server.ts';
import type { Db } from './platform/database/tables.server.ts';
import type { BuiltAssets } from './platform/http/assets.server.ts';
import type { Call, CallChecks } from './platform/http/call.server.ts';
import type { Interval } from './platform/interval.server.ts';
import type { FailureAudit } from './staff/audit-store.server.ts';
import type { SignInMethods } from './staff/staff-api.ts';
import type { FirstAnswersFigure } from './threads/first-answers.server.ts';
import type { ThreadEvents } from './threads/thread-events.server.ts';

/** Made once, by src/app.server.ts. */
export interface Site extends CallChecks {
  env: Env;
  content: Content;
  company: Company;
  database: Database;
  db: Db;
  assets: BuiltAssets;
  log: AccessLog;
  catalogue: LiveCatalogue;
  /** The day at the company, such as '2026-11-20'. */
  today(): string;
  notify: Notify;
  outbox: Outbox;
  /** Whether emails can be sent. */
  mail: boolean;
  /** Whether mail to the address comes back to us. */
  isOwnAddress(address: string): boolean;
  events: ThreadEvents;
  firstAnswers: FirstAnswersFigure;
  gateway: Gateway;
  paymentConfig: PaymentConfig;
  paymentChecks: PaymentChecks;
  /** What a buyer accepts now. */
  termsOfService(): TermsVersion;
  /** What a customer under the Safeguards Rule can accept; null where there is no such text. */
  addendum(): TermsVersion | null;
  failureAudit: FailureAudit;
  signInMethods(): SignInMethods;
}

/** What a folder brings; src/app.server.ts lists them all. */
export interface Feature {
  /** What it answers under /api. */
  calls?: readonly ((site: Site) => Call | readonly Call[])[];
  /** What it does by itself. */
  intervals?: readonly ((site: Site) => Interval | readonly Interval[])[];
  /** What it notifies people of. */
  notifications?: readonly NotificationKind[];
}
