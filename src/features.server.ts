/** The features of the site, put together: what they answer, and what they do besides. */
import { setTimeout } from 'node:timers/promises';
import { AccessLog } from './access-log/access-log.server.ts';
import { accessLogCalls } from './access-log/access-log-calls.server.ts';
import { trimAccessLog } from './access-log/trim-access-log.server.ts';
import { accountCalls } from './account/account-calls.server.ts';
import { forgetOldRequests, lostLinkCall } from './account/lost-link.server.ts';
import { pricesInForce } from './catalogue/catalogue-content.server.ts';
import {
  catalogueCalls,
  finishedLists,
  LISTS,
  liveCatalogue,
} from './catalogue/live-catalogue.server.ts';
import { answerVisitor } from './chat/chat-message.server.ts';
import { startOrder } from './checkout/start-order.server.ts';
import { receiveMessage } from './contact/contact-message.server.ts';
import { contactForm } from './contact/receive-form.server.ts';
import type { Content } from './content.server.ts';
import { inboxCalls } from './inbox/inbox.server.ts';
import { configuredChannels, NOTIFICATION_KINDS } from './notification-kinds.server.ts';
import { cleanOutbox, createOutbox } from './notifications/outbox.server.ts';
import { outboxCalls } from './notifications/outbox-calls.server.ts';
import { expireOrders } from './orders/abandon-order.server.ts';
import { accessLink, type LinkedOrder, receiptLink } from './orders/order-access.server.ts';
import { orderCalls } from './orders/order-calls.server.ts';
import { startPayments } from './payments/start-payments.server.ts';
import type { Env } from './platform/config/env.server.ts';
import type { Database } from './platform/database/database.server.ts';
import { whenDatabaseReady } from './platform/database/database-away.server.ts';
import type { BuiltAssets } from './platform/http/assets.server.ts';
import type { Call } from './platform/http/call.server.ts';
import type { Cookies } from './platform/http/cookies.server.ts';
import type { HeaderSets } from './platform/http/headers.server.ts';
import type { RateLimits } from './platform/http/rate-limit.server.ts';
import { addressOfRequest, limitKey } from './platform/http/visitor-address.server.ts';
import { Interval, startSequentially } from './platform/interval.server.ts';
import { MessageBudget } from './platform/message-limits.server.ts';
import { keepMessagesFor } from './privacy/expire-messages.server.ts';
import { personCalls } from './privacy/person-calls.server.ts';
import { quoteCalls, quoteOnPage } from './quotes/quote-calls.server.ts';
import { REMIND_EVERY_MS, remindOfQuotes } from './quotes/quote-mails.server.ts';
import { addQuoteLink } from './quotes/quote-store.server.ts';
import { staffQuoteCalls } from './quotes/staff-quotes.server.ts';
import { forgetOldReports, sendReport } from './safeguards/email-report.server.ts';
import { demoCredentials, keepAdminAccount } from './staff/account-store.server.ts';
import { expireSessions, sessionCalls } from './staff/sessions.server.ts';
import { signInCalls } from './staff/sign-in.server.ts';
import { documents, failureReport } from './web/documents.server.ts';

/** How long a stop waits for a provider or a database that hangs. */
const PATIENCE_MS = 1_500;
/** How often unpaid orders are looked for. */
const EXPIRY_EVERY_MS = 5 * 60_000;
const TRIM_LOG_EVERY_MS = 60_000;
/** How often a new version of the content is looked for, whose pages are to be rendered. */
const PREPARE_EVERY_MS = 1_000;

export interface SiteParts {
  env: Env;
  content: Content;
  database: Database;
  /** The site's own origin. */
  publicUrl: string;
  assets: BuiltAssets;
}

export type Features = Awaited<ReturnType<typeof startFeatures>>;

/** What a feature takes of HTTP. */
interface Shared {
  cookies: Cookies;
  headers: HeaderSets;
  limits: RateLimits;
  /** Limits are so many times as large. */
  times: number;
}

export async function startFeatures(parts: SiteParts, shared: Shared) {
  const { env, content, database, publicUrl } = parts;
  const { cookies, headers, limits, times } = shared;
  const { db } = database;
  const catalogue = liveCatalogue(db, content);
  const lists = finishedLists(catalogue, headers.api);
  const log = new AccessLog(database, env.logMaxMb);
  const writer = {
    company: content.company,
    publicUrl,
    customerPage: (order: LinkedOrder) => receiptLink(db, publicUrl, order),
    accessPage: (order: LinkedOrder) => accessLink(db, publicUrl, order),
    quotePage: (id: number) => addQuoteLink(db, publicUrl, id),
    now: () => gateway.now(),
  };
  const channels = await configuredChannels(env, writer);
  const outbox = createOutbox(database, content.company, channels, NOTIFICATION_KINDS);
  const { notify } = outbox;
  const payments = startPayments(env, { db, notify });
  const { gateway, reconciling } = payments;
  const addOnPrices = () => pricesInForce(content.addOns, new Date());
  const budget = new MessageBudget(content.company.phone.display);
  const { findPlan } = catalogue;
  const quoting = { db, notify, gateway, publicUrl, findPlan, addOnPrices };
  const reminding = new Interval('quotes-not-reminded-of', REMIND_EVERY_MS, (isStopped) =>
    remindOfQuotes({ ...quoting, notify: payments.notifyInTime }, isStopped),
  );
  const expiring = new Interval('orders-not-expired', EXPIRY_EVERY_MS, (isStopped) =>
    expireOrders({ db, gateway, notify }, isStopped),
  );

  const pages = documents({
    ...parts,
    catalogue,
    headers,
    addOnPrices,
    paymentConfig: payments.config,
    quoteOnPage: (token, incoming) => {
      const address = addressOfRequest(incoming, env.trustProxy);
      return quoteOnPage({ db, gateway }, limits, { token, limitKey: limitKey(address) });
    },
    receipts: env.mail !== null,
    noMoneyMoves: env.noMoneyMoves,
    demoCredentials: () => demoCredentials(db, env.admin),
  });
  const contactCall = receiveMessage({ db, notify, budget });
  const calls: readonly Call[] = [
    contactCall,
    sendReport({ db, notify, check: content.safeguards, mail: env.mail !== null }),
    failureReport,
    answerVisitor({ db, cookies, notify, company: content.company, budget }),
    ...catalogueCalls({ catalogue, lists, contentFolder: content.folder }),
    startOrder({
      db,
      cookies,
      gateway,
      notify,
      addOnPrices,
      findPlan,
    }),
    ...quoteCalls({ ...quoting, budget }),
    ...staffQuoteCalls(quoting),
    ...orderCalls({ db, cookies, gateway, notify, publicUrl }),
    ...accountCalls({ db, cookies, gateway, notify, addOnPrices }),
    lostLinkCall({ db, notify, mail: env.mail !== null, phone: content.company.phone.display }),
    ...payments.calls,
    ...outboxCalls({ db, kinds: NOTIFICATION_KINDS, endPauses: outbox.endPauses }),
    ...signInCalls({ db, cookies, mostFailures: 10 * times }),
    ...sessionCalls(db),
    ...inboxCalls(db),
    ...personCalls({
      database,
      gateway,
      notify,
      channels: { teams: env.teams !== null, mail: env.mail !== null },
    }),
    ...accessLogCalls(db, log),
  ];

  // In the order of their first turns: what asks only the database before what asks the payment provider.
  const works = [
    new Interval('access-log-not-trimmed', TRIM_LOG_EVERY_MS, () =>
      trimAccessLog(database, Date.now(), env.logRetentionHours),
    ),
    expireSessions(db),
    keepMessagesFor(env.keepMessagesDays, db),
    forgetOldRequests(db),
    forgetOldReports(db),
    cleanOutbox(db),
    // Where customers get no emails, none is owed to them later.
    ...(env.mail ? [reminding] : []),
    reconciling,
    expiring,
  ];
  const forms = [contactForm(contactCall, pages.formPages.contact)];
  const preparing = new Interval('pages-not-prepared', PREPARE_EVERY_MS, async (isStopped) => {
    await Promise.all(LISTS.map(({ path }) => lists.get(path)));
    await pages.prepare(isStopped);
  });
  const started = await whenDatabaseReady([
    catalogue.store,
    () => keepAdminAccount(db, env.admin),
    outbox.start,
    async () => void startSequentially(works),
  ]);
  return {
    calls,
    lists,
    forms,
    pages,
    preparePages: () => preparing.start(),
    /** Takes down that a request was answered. */
    take: log.take,
    /** What a call has stored is committed, so what it wants said can go out. */
    wake: outbox.wake,
    /** All that the start does with the database is done. */
    isStarted: started.isDone,
    /** Begins nothing new. */
    stopStarting() {
      started.stop();
      for (const work of [...works, preparing]) work.stop();
      outbox.stopClaiming();
    },
    async close(): Promise<void> {
      // What hangs must not keep the log from being written; a request can be sent again.
      const underWay = Promise.all([
        started.stop(),
        ...[...works, preparing].map((work) => work.stop()),
      ]);
      await Promise.race([underWay, setTimeout(PATIENCE_MS)]);
      await outbox.close();
      await log.close();
      await database.close();
    },
  };
}
