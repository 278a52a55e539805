/** Assembles the site: every feature with what it needs, its calls, and its background work. */
import { setTimeout } from 'node:timers/promises';
import { AccessLog, accessLogCalls } from './access-log/access-log.server.ts';
import { malformedRecord, requestRecorder } from './access-log/access-record.server.ts';
import { trimLog } from './access-log/trim-access-log.server.ts';
import { accountCalls } from './account/account-calls.server.ts';
import { deleteOldLinkRequests, lostLinkCalls, orderLinks } from './account/lost-link.server.ts';
import { sourceCalls } from './attribution/sources.server.ts';
import { expireOrders } from './billing/abandon-order.server.ts';
import { followInvoices } from './billing/follow-invoices.server.ts';
import { PaymentChecks } from './billing/follow-payment.server.ts';
import { addOnPricesOn } from './catalogue/catalogue-content.server.ts';
import { catalogueCalls, liveCatalogue } from './catalogue/live-catalogue.server.ts';
import { chatReceived, receiveChatMessage } from './chat/chat-message.server.ts';
import { conversationCalls } from './chat/conversation.server.ts';
import { typicalReplyTime } from './chat/typical-reply-time.server.ts';
import { acceptQuote } from './checkout/accept-quote.server.ts';
import { startOrder } from './checkout/start-order.server.ts';
import { todayOf } from './company/hours.ts';
import { contactReceived, receiveContactMessage } from './contact/contact-message.server.ts';
import { type Content, remoteOrigins } from './content.server.ts';
import type { Env } from './env.server.ts';
import { answerCalls } from './inbox/answer-thread.server.ts';
import { inboxCalls } from './inbox/inbox.server.ts';
import { messagesCsvCall } from './inbox/messages-csv.server.ts';
import { readyAnswersCall } from './inbox/ready-answers.server.ts';
import { threadAnswered } from './inbox/thread-answered.server.ts';
import { DEMO_FACTOR, SIGN_IN_FAILURES } from './limits.ts';
import type { NotificationKind } from './notifications/notification.server.ts';
import { cleanOutbox, configuredChannels, createOutbox } from './notifications/outbox.server.ts';
import { storageWarning } from './notifications/storage-warning.server.ts';
import { readTerms, termsVersion } from './orders/accepted-terms.server.ts';
import { orderCalls } from './orders/order-calls.server.ts';
import { orderListCalls } from './orders/order-list.server.ts';
import { ORDER_NOTIFICATIONS } from './orders/order-mails.server.ts';
import { paymentsCsvCall } from './orders/payments-csv.server.ts';
import { paymentProvider, startPayments } from './payments/start-payments.server.ts';
import type { Database } from './platform/database/database.server.ts';
import { whenDatabaseReady } from './platform/database/database-unavailable.server.ts';
import type { BuiltAssets } from './platform/http/assets.server.ts';
import type { Call } from './platform/http/call.server.ts';
import { requestIp } from './platform/http/client-ip.server.ts';
import { headerSets } from './platform/http/headers.server.ts';
import { writeProbe } from './platform/http/health.server.ts';
import type { MalformedRequest } from './platform/http/http-server.server.ts';
import type { Metrics } from './platform/http/metrics.server.ts';
import { withOpenApi } from './platform/http/openapi.server.ts';
import { RateLimits } from './platform/http/rate-limit.server.ts';
import { Interval, startSequentially } from './platform/interval.server.ts';
import type { Site } from './platform/site.server.ts';
import { storageOf } from './platform/storage-budget.server.ts';
import { priceChangeInterval } from './price-changes/apply-price-changes.server.ts';
import { priceCalls } from './price-changes/price-calls.server.ts';
import { PRICE_NOTIFICATIONS } from './price-changes/price-change-mails.server.ts';
import { keepMessages } from './privacy/expire-messages.server.ts';
import { personCalls } from './privacy/person-calls.server.ts';
import { quoteCalls, remindersCall } from './quotes/quote-calls.server.ts';
import {
  quoteChanged,
  quoteReminder,
  quoteSaved,
  quoteStored,
  REMIND_EVERY_MS,
  sendQuoteReminders,
} from './quotes/quote-mails.server.ts';
import { staffQuoteCalls } from './quotes/staff-quotes.server.ts';
import {
  deleteOldReports,
  safeguardsReport,
  sendReport,
} from './safeguards/email-report.server.ts';
import { expireFailures } from './sign-in/failure-store.server.ts';
import { closePasswordSignIn, syncAdminAccount } from './sign-in/password-account.server.ts';
import { secondFactorCalls, secondFactorChanged } from './sign-in/second-factor.server.ts';
import { signInCalls } from './sign-in/sign-in.server.ts';
import { staffAccountCalls } from './staff/accounts.server.ts';
import { outboxCalls } from './staff/outbox-calls.server.ts';
import { expireSessions, findStaff, sessionCalls } from './staff/sessions.server.ts';
import { threadEvents } from './threads/thread-events.server.ts';
import { documents, failureReport } from './web/documents.server.ts';
import { requestListener } from './web/request-listener.server.ts';

/** How long a stop waits for background work when a payment provider or the database hangs. */
const STOP_TIMEOUT_MS = 1_500;
const EXPIRY_EVERY_MS = 5 * 60_000;
/** How often to check for changed content, whose pages must be rendered again. */
const PREPARE_EVERY_MS = 1_000;

export const NOTIFICATION_KINDS: readonly NotificationKind[] = [
  contactReceived,
  chatReceived,
  threadAnswered,
  ...ORDER_NOTIFICATIONS,
  orderLinks,
  quoteSaved,
  quoteStored,
  quoteChanged,
  quoteReminder,
  ...PRICE_NOTIFICATIONS,
  safeguardsReport,
  secondFactorChanged,
  storageWarning,
];

interface SiteParts {
  env: Env;
  content: Content;
  database: Database;
  publicUrl: string;
  assets: BuiltAssets;
  metrics: Metrics | null;
}

/** What the features answer under /api. */
const CALLS: readonly ((site: Site) => Call | readonly Call[])[] = [
  sendReport,
  receiveChatMessage,
  conversationCalls,
  catalogueCalls,
  startOrder,
  acceptQuote,
  readTerms,
  quoteCalls,
  staffQuoteCalls,
  priceCalls,
  orderCalls,
  orderListCalls,
  paymentsCsvCall,
  accountCalls,
  lostLinkCalls,
  outboxCalls,
  signInCalls,
  secondFactorCalls,
  sessionCalls,
  staffAccountCalls,
  inboxCalls,
  answerCalls,
  readyAnswersCall,
  messagesCsvCall,
  personCalls,
  accessLogCalls,
  sourceCalls,
];

/** What the features do by themselves, in the order of their first runs. */
const INTERVALS: readonly ((site: Site) => Interval | readonly Interval[])[] = [
  trimLog,
  ({ catalogue }) => catalogue.reading(),
  ({ events }) => events.reading,
  ({ replyTime }) => replyTime.reading,
  keepMessages,
  expireSessions,
  expireFailures,
  deleteOldLinkRequests,
  deleteOldReports,
  cleanOutbox,
  // Without email there is no one to remind, or to give notice.
  (site) =>
    site.mail
      ? new Interval('quote-reminders-failed', REMIND_EVERY_MS, (isStopped) =>
          sendQuoteReminders(site, isStopped),
        )
      : [],
];
/** Likewise, with calls to the payment provider. */
const PAYMENT_INTERVALS: readonly ((site: Site) => Interval)[] = [
  priceChangeInterval,
  (site) =>
    new Interval('order-expiry-failed', EXPIRY_EVERY_MS, (isStopped) =>
      expireOrders(site, isStopped),
    ),
  (site) =>
    new Interval('invoices-failed', EXPIRY_EVERY_MS, (isStopped) =>
      followInvoices(site, isStopped),
    ),
];

export async function createSite(parts: SiteParts) {
  const { env, metrics } = parts;
  const work = await assemble(parts);
  const { site, outbox, payments, workSignIn, pages } = work;
  const { db, headers, log, events, catalogue } = site;
  const contactCall = receiveContactMessage(site);
  const reminders = remindersCall(site);
  const calls = withOpenApi(
    [
      contactCall,
      failureReport,
      reminders,
      ...CALLS.flatMap((callsOf) => callsOf(site)),
      ...payments.calls,
      ...(env.oidc && workSignIn
        ? (await import('./sign-in/oidc-sign-in.server.ts')).oidcCalls(site, env.oidc, workSignIn)
        : []),
    ],
    `${site.company.name} website`,
  );
  const intervals = [
    ...INTERVALS.flatMap((intervalsOf) => intervalsOf(site)),
    ...payments.intervals,
    ...PAYMENT_INTERVALS.map((intervalOf) => intervalOf(site)),
  ];
  const preparing = new Interval('page-preparation-failed', PREPARE_EVERY_MS, pages.prepare);
  const started = await whenDatabaseReady([
    catalogue.store,
    () => (env.staffPassword ? syncAdminAccount(db, env.admin) : closePasswordSignIn(db)),
    outbox.start,
    async () => void startSequentially(intervals),
  ]);
  const stopIntervals = () =>
    Promise.all([started, ...intervals, preparing].map((running) => running.stop()));

  let ready = true;
  const canStore = writeProbe(db);
  const isReady = async () => ready && started.isDone() && (await canStore());
  metrics?.watch({ isReady, openStreams: events.countOpen, outbox: outbox.countByChannel });
  const listener = requestListener({
    site,
    pages,
    calls,
    contactCall,
    remindersCall: reminders,
    isReady,
    metrics,
    afterPost() {
      outbox.wake();
      events.wake();
    },
  });
  return {
    app: listener.app,
    answer: listener.answer,
    record: requestRecorder(log.add, {
      trustProxy: env.trustProxy,
      // Staff come back from the company's own sign-in page.
      noSources: env.oidc ? [new URL(env.oidc.issuer).hostname] : [],
      metrics,
    }),
    /** Every call under /api, for tests that go through all of them. */
    calls,
    recordMalformed: (request: MalformedRequest) => log.add(malformedRecord(request)),
    headers: headers.api,
    /** Whether the start has finished its work on the database. */
    isStarted: started.isDone,
    /** Renders all pages now, before they are requested, and again whenever the content changes. */
    preparePages: () => preparing.start(),
    /** Stops background work, ends streams and makes /readyz answer 503 for load balancers. */
    stopBeingReady() {
      ready = false;
      events.close();
      void stopIntervals();
      outbox.stopClaiming();
    },
    /** Waits up to `timeoutMs` for requests in progress, then closes everything. */
    async close(timeoutMs = 0): Promise<void> {
      const answered = listener.allAnswered();
      await Promise.race([answered, setTimeout(timeoutMs, undefined, { ref: false })]);
      // Hanging work must not keep the log from being written; the next start repeats the rest.
      await Promise.race([stopIntervals(), setTimeout(STOP_TIMEOUT_MS)]);
      await Promise.all([outbox.close(), log.close()]);
      await parts.database.close();
    },
  };
}

/** What the features bring to each other. */
async function assemble({ env, content, database, publicUrl, assets }: SiteParts) {
  const { company } = content;
  const { db } = database;
  const limitFactor = env.admin.demo ? DEMO_FACTOR : 1;
  const provider = await paymentProvider(env);
  const headers = headerSets({
    hsts: env.hsts,
    payment: provider.cspSources,
    pictureOrigins: remoteOrigins(content),
  });
  const today = todayOf(company);
  const catalogue = liveCatalogue(db, content, today);
  const channels = await configuredChannels(env, { db, company, publicUrl });
  const outbox = createOutbox(db, company, channels, NOTIFICATION_KINDS);
  const { notify } = outbox;
  const paymentChecks = new PaymentChecks();
  const payments = startPayments(provider, { db, notify, paymentChecks, company });
  // Libraries that only a setting needs are loaded with it.
  const workSignIn =
    env.oidc && (await import('./sign-in/oidc-provider.server.ts')).openIdProvider(env.oidc);
  const log = new AccessLog(db, env.logMaxMb, (path) => pages.pageOf(path));
  const mail = env.mail !== null;
  const site: Site = {
    ...content,
    ...env,
    content,
    assets,
    database,
    db,
    publicUrl,
    hostCounts: env.publicUrl === null,
    limits: new RateLimits(limitFactor),
    headers,
    clientIp: (incoming) => requestIp(incoming, env.trustProxy),
    storageOf: (address) =>
      storageOf(address, {
        db,
        phone: company.phone.display,
        warn: (trx, id) => notify(trx, storageWarning, id),
      }),
    findStaff: (token, prolongs) => findStaff(db, token, env.secondFactorRequired, prolongs),
    mail,
    notify,
    kinds: NOTIFICATION_KINDS,
    endPauses: outbox.endPauses,
    replyTime: typicalReplyTime(db, company),
    events: threadEvents(db),
    catalogue,
    findPlan: catalogue.findPlan,
    addOnPrices: () => addOnPricesOn(content.addOns, today()),
    today,
    gateway: payments.gateway,
    paymentConfig: payments.config,
    paymentChecks,
    termsOfService: termsVersion(content.texts),
    mostFailures: SIGN_IN_FAILURES * limitFactor,
    signInMethods: () => ({
      password: env.staffPassword,
      work: workSignIn && { canSignOut: workSignIn.canSignOut() },
    }),
    log,
    flushVisits: () => log.flush(),
    copies: {
      teams: env.teams !== null,
      mail,
      webhook: env.webhook !== null,
      sentItems: env.mail !== null && !('smtpUrl' in env.mail.transport),
    },
  };
  const pages = await documents(site);
  return { site, outbox, payments, workSignIn, pages };
}
