/** The whole site: every feature with what it needs, and one function from a request to its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import { AccessLog, accessLogCalls } from './access-log/access-log.server.ts';
import { trimAccessLog } from './access-log/access-log-store.server.ts';
import {
  malformedRecord,
  requestRecorder,
  withoutSecrets,
} from './access-log/access-record.server.ts';
import { accountCalls } from './account/account-calls.server.ts';
import { deleteOldLinkRequests, lostLinkCall } from './account/lost-link.server.ts';
import { addOnPricesAt } from './catalogue/catalogue-content.server.ts';
import {
  cachedLists,
  catalogueCalls,
  LISTS,
  liveCatalogue,
} from './catalogue/live-catalogue.server.ts';
import { receiveChatMessage } from './chat/chat-message.server.ts';
import { startOrder } from './checkout/start-order.server.ts';
import { receiveContactMessage } from './contact/contact-message.server.ts';
import { registerContactForm } from './contact/receive-form.server.ts';
import { type Content, remoteOrigins } from './content.server.ts';
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
import { whenDatabaseReady } from './platform/database/database-unavailable.server.ts';
import { refuse, refuseFault } from './platform/http/answer.server.ts';
import type { BuiltAssets } from './platform/http/assets.server.ts';
import { type CallContext, registerCalls } from './platform/http/call.server.ts';
import { isHost, limitKey, requestIp } from './platform/http/client-ip.server.ts';
import { Cookies } from './platform/http/cookies.server.ts';
import { headerSets } from './platform/http/headers.server.ts';
import { healthRoutes, writeProbe } from './platform/http/health.server.ts';
import type { MalformedRequest } from './platform/http/http-server.server.ts';
import { withOpenApi } from './platform/http/openapi.server.ts';
import { EVERY_CALL, RateLimits } from './platform/http/rate-limit.server.ts';
import type { CachedResponse } from './platform/http/response-cache.server.ts';
import { Interval, startSequentially } from './platform/interval.server.ts';
import { MessageBudget } from './platform/message-limits.server.ts';
import { keepMessagesFor } from './privacy/expire-messages.server.ts';
import { personCalls } from './privacy/person-calls.server.ts';
import { quoteCalls, quoteOnPage } from './quotes/quote-calls.server.ts';
import { REMIND_EVERY_MS, sendQuoteReminders } from './quotes/quote-mails.server.ts';
import { addQuoteLink } from './quotes/quote-store.server.ts';
import { staffQuoteCalls } from './quotes/staff-quotes.server.ts';
import { forgetOldReports, sendReport } from './safeguards/email-report.server.ts';
import { demoCredentials, syncAdminAccount } from './staff/account-store.server.ts';
import { expireSessions, findStaff, sessionCalls } from './staff/sessions.server.ts';
import { signInCalls } from './staff/sign-in.server.ts';
import { documents, failureReport } from './web/documents.server.ts';

/** How long a stop waits for a provider or a database that hangs. */
const PATIENCE_MS = 1_500;
/** How often unpaid orders are looked for. */
const EXPIRY_EVERY_MS = 5 * 60_000;
const TRIM_LOG_EVERY_MS = 60_000;
/** How often a new version of the content is looked for, whose pages are to be rendered. */
const PREPARE_EVERY_MS = 1_000;

interface SiteParts {
  env: Env;
  content: Content;
  database: Database;
  /** The site's own origin. */
  publicUrl: string;
  assets: BuiltAssets;
}

export async function createSite(parts: SiteParts) {
  const { env, content, database, publicUrl } = parts;
  const { company, safeguards: check } = content;
  const { trustProxy } = env;
  const { db } = database;
  const secure = publicUrl.startsWith('https:');
  const cookies = new Cookies(secure);
  // The demo's password is public: who tries the demo should not meet limits that are meant for strangers.
  const times = env.admin.demo ? 10 : 1;
  const limits = new RateLimits(times);
  const headers = headerSets({
    secure,
    stripe: env.stripe !== null,
    pictureOrigins: remoteOrigins(content),
  });
  const keyOf = (request: IncomingMessage) => limitKey(requestIp(request, trustProxy));

  const catalogue = liveCatalogue(db, content);
  const lists = cachedLists(catalogue, headers.api);
  const { findPlan } = catalogue;
  const addOnPrices = () => addOnPricesAt(content.addOns, new Date());
  const log = new AccessLog(database, env.logMaxMb);
  const channels = await configuredChannels(env, {
    company,
    publicUrl,
    customerPage: (order: LinkedOrder) => receiptLink(db, publicUrl, order),
    accessPage: (order: LinkedOrder) => accessLink(db, publicUrl, order),
    quotePage: (id: number) => addQuoteLink(db, publicUrl, id),
    now: () => gateway.now(),
  });
  const outbox = createOutbox(database, company, channels, NOTIFICATION_KINDS);
  const { notify } = outbox;
  const payments = startPayments(env, { db, notify });
  const { gateway, reconciliation } = payments;
  const budget = new MessageBudget(company.phone.display);
  const mail = env.mail !== null;
  const quoting = { db, notify, gateway, publicUrl, findPlan, addOnPrices };

  const pages = documents({
    ...parts,
    catalogue,
    headers,
    addOnPrices,
    paymentConfig: payments.config,
    quoteOnPage: (token, incoming) =>
      quoteOnPage({ db, gateway }, limits, { token, limitKey: keyOf(incoming) }),
    mail,
    noMoneyMoves: env.noMoneyMoves,
    demoCredentials: () => demoCredentials(db, env.admin),
  });
  const contactCall = receiveContactMessage({ db, notify, budget });
  const calls = withOpenApi(
    [
      contactCall,
      sendReport({ db, notify, check, mail }),
      failureReport,
      receiveChatMessage({ db, cookies, notify, company, budget }),
      ...catalogueCalls({ catalogue, lists, contentFolder: content.folder }),
      startOrder({ db, cookies, gateway, notify, addOnPrices, findPlan }),
      ...quoteCalls({ ...quoting, budget }),
      ...staffQuoteCalls(quoting),
      ...orderCalls({ db, cookies, gateway, notify, publicUrl }),
      ...accountCalls({ db, cookies, gateway, notify, addOnPrices }),
      lostLinkCall({ db, notify, mail, phone: company.phone.display }),
      ...payments.calls,
      ...outboxCalls({ db, kinds: NOTIFICATION_KINDS, endPauses: outbox.endPauses }),
      ...signInCalls({ db, cookies, mostFailures: 10 * times }),
      ...sessionCalls(db),
      ...inboxCalls(db),
      ...personCalls({ database, gateway, notify, channels: { teams: env.teams !== null, mail } }),
      ...accessLogCalls(db, log),
    ],
    `${company.name} website`,
  );

  // In the order of their first turns: what asks only the database before what asks the payment provider.
  const intervals = [
    new Interval('access-log-not-trimmed', TRIM_LOG_EVERY_MS, () =>
      trimAccessLog(database, Date.now(), env.logRetentionHours),
    ),
    expireSessions(db),
    keepMessagesFor(env.keepMessagesDays, db),
    deleteOldLinkRequests(db),
    forgetOldReports(db),
    cleanOutbox(db),
    // Where customers get no emails, none is owed to them later.
    ...(mail
      ? [
          new Interval('quotes-not-reminded-of', REMIND_EVERY_MS, (isStopped) =>
            sendQuoteReminders({ ...quoting, notify: payments.notifyWhenDue }, isStopped),
          ),
        ]
      : []),
    reconciliation,
    new Interval('orders-not-expired', EXPIRY_EVERY_MS, (isStopped) =>
      expireOrders({ db, gateway, notify }, isStopped),
    ),
  ];
  const preparing = new Interval('pages-not-prepared', PREPARE_EVERY_MS, async (isStopped) => {
    await Promise.all(LISTS.map(({ path }) => lists.get(path)));
    await pages.prepare(isStopped);
  });
  const started = await whenDatabaseReady([
    catalogue.store,
    () => syncAdminAccount(db, env.admin),
    outbox.start,
    async () => void startSequentially(intervals),
  ]);
  const stopIntervals = () =>
    Promise.all([started, ...intervals, preparing].map((each) => each.stop()));

  const app = new Hono<{ Bindings: HttpBindings }>();
  /** Requests under way, those of clients who have left among them. */
  const underWay = new Set<Promise<void>>();
  app.use(async ({ env: { incoming } }, next) => {
    if (!hasOneHost(incoming)) return refuse(400, INVALID_ADDRESS, { headers: headers.api });
    const answering = next();
    underWay.add(answering);
    await answering.finally(() => underWay.delete(answering));
  });
  let ready = true;
  const couldStore = writeProbe(db);
  healthRoutes(app, headers.api, async () => ready && started.isDone() && (await couldStore()));
  // What a call notifies people of is committed by now.
  app.on('POST', '*', async (context, next) => {
    await next();
    if (context.res.ok) outbox.wake();
  });
  const site: CallContext = {
    publicOrigin: publicUrl,
    hostCounts: env.publicUrl === null,
    cookies,
    limits,
    headers: headers.api,
    clientIp: ({ env: { incoming } }) => requestIp(incoming, trustProxy),
    findStaff: (cookie) => findStaff(db, cookies.read(cookie, 'session')),
  };
  app.onError((error, { req }) => refuseFault(error, withoutSecrets(req.path), headers.api));
  registerCalls(app, calls, site);
  registerContactForm(app, contactCall, pages.contactPages, site);
  pages.routes(app);

  const compute = getRequestListener(app.fetch, {
    errorHandler: (error) =>
      error instanceof RequestError
        ? refuse(400, INVALID_ADDRESS, { headers: headers.api })
        : refuseFault(error, '', headers.api),
  });
  /** What is ready; a list counts toward the limit of all calls. Every refusal is Hono's. */
  function find(request: IncomingMessage): CachedResponse | undefined {
    const { method, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !hasOneHost(request)) return undefined;
    const [path = ''] = url.split('?', 1);
    const list = lists.find(path);
    if (!list) return pages.find(path);
    return limits.take(EVERY_CALL, keyOf(request)).wait > 0 ? undefined : list;
  }
  const record = requestRecorder(log.take, trustProxy);
  return {
    app,
    /** What is finished leaves at once; everything else is answered by Hono. */
    answer(request: IncomingMessage, response: ServerResponse): void {
      record(request, response);
      const found = find(request);
      if (found) found.send(request, response);
      else void compute(request, response);
    },
    /** Every call under /api, so that a test can walk them all. */
    calls,
    recordMalformed: (request: MalformedRequest) => log.take(malformedRecord(request)),
    headers: headers.api,
    /** All that the start does with the database is done. */
    isStarted: started.isDone,
    /** Renders every page ahead of its first request, and again whenever the content changes. */
    preparePages: () => preparing.start(),
    /** Begins nothing new; from now on /readyz answers 503, so that no proxy sends further visitors. */
    stopBeingReady() {
      ready = false;
      void stopIntervals();
      outbox.stopClaiming();
    },
    /** Waits for what is under way, for `timeoutMs` at most. */
    async close(timeoutMs = 0): Promise<void> {
      const over = Promise.allSettled(underWay);
      await Promise.race([over, setTimeout(timeoutMs, undefined, { ref: false })]);
      // What hangs must not keep the log from being written; a request can be sent again.
      await Promise.race([stopIntervals(), setTimeout(PATIENCE_MS)]);
      await Promise.all([outbox.close(), log.close()]);
      await database.close();
    },
  };
}

/** Of two Hosts, proxies and Node may each believe another one. */
function hasOneHost({ headersDistinct }: IncomingMessage): boolean {
  const [host = '', ...others] = headersDistinct.host ?? [];
  return isHost(host) && others.length === 0;
}

const INVALID_ADDRESS = 'The address or the Host of this request is not valid';
