/** Puts the site together from its features: one function from a request to its answer. Tests do it the same way. */
import { setTimeout } from 'node:timers/promises';
import { type HttpBindings, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import { AccessLog } from './access-log/access-log.server.ts';
import type { AccessRecord } from './access-log/access-record.server.ts';
import { logCalls } from './access-log/log-calls.server.ts';
import { RequestMetrics } from './access-log/metrics.server.ts';
import {
  type RequestRecorder,
  requestRecorder,
  unreadRecord,
} from './access-log/record-requests.server.ts';
import { keepLogTidy } from './access-log/tidy-log.server.ts';
import { demoCredentials, keepAdminAccount } from './admin/account-store.server.ts';
import { recordAudit } from './admin/audit-store.server.ts';
import { keepDoorTidy } from './admin/expire-sessions.server.ts';
import { sessionCalls } from './admin/session-calls.server.ts';
import { findStaff } from './admin/session-store.server.ts';
import { signInCalls } from './admin/sign-in.server.ts';
import { catalogueCalls } from './catalogue/catalogue-calls.server.ts';
import { liveCatalogue } from './catalogue/live-catalogue.server.ts';
import { pricesInForce } from './catalogue/pricing.ts';
import { answerVisitor } from './chat/answer-visitor.server.ts';
import { paymentFollower } from './checkout/follow-payment.server.ts';
import { orderBook } from './checkout/order-book.server.ts';
import { orderCalls } from './checkout/order-calls.server.ts';
import { orderPageCalls } from './checkout/order-page-calls.server.ts';
import { orderPageLinks } from './checkout/order-page-link.server.ts';
import { staffOrderJson } from './checkout/order-store.server.ts';
import { endOrder, staffOrderCalls } from './checkout/staff-orders.server.ts';
import { startOrder } from './checkout/start-order.server.ts';
import { receiveForm } from './contact/receive-form.server.ts';
import { receiveMessage } from './contact/receive-message.server.ts';
import { type Content, remoteOrigins } from './content.server.ts';
import { documents } from './documents.server.ts';
import { inboxCalls } from './inbox/inbox-calls.server.ts';
import { NOTIFICATION_KINDS } from './notifications.server.ts';
import { configuredChannels } from './notify/channels.server.ts';
import { deliveriesAbout, forgetDeliveriesAbout } from './notify/deliveries-about.server.ts';
import { createOutbox } from './notify/outbox.server.ts';
import { outboxCalls } from './notify/outbox-calls.server.ts';
import { startPayments } from './payment/start-payments.server.ts';
import { keepMessagesFor } from './people/forget-messages.server.ts';
import { peopleCalls } from './people/people-calls.server.ts';
import { Allowances } from './platform/allowances.server.ts';
import { refuse } from './platform/answer.server.ts';
import type { BuiltAssets } from './platform/assets.server.ts';
import { answerCall, type Call, type CallContext, registerCalls } from './platform/call.server.ts';
import { Cookies } from './platform/cookies.server.ts';
import type { Database } from './platform/database.server.ts';
import type { Env } from './platform/env.server.ts';
import { headerSets } from './platform/headers.server.ts';
import { healthRoutes, refuseFault } from './platform/health.server.ts';
import type { UnreadRequest } from './platform/malformed-requests.server.ts';
import { onceThere } from './platform/once-there.server.ts';
import { withOpenApi } from './platform/openapi.server.ts';
import { withPatience } from './platform/patience.server.ts';
import { RateLimits } from './platform/rate-limit.server.ts';
import { visitorAddress } from './platform/visitor-address.server.ts';
import { writeTrial } from './platform/write-trial.server.ts';

/** How long a stop waits for a provider or a database that hangs. */
const PATIENCE_MS = 1_500;

export interface SiteParts {
  env: Env;
  content: Content;
  database: Database;
  /** The site's own origin. */
  publicUrl: string;
  assets: BuiltAssets;
}

export interface SiteApp {
  app: Hono<{ Bindings: HttpBindings }>;
  /** Every call under /api, so that a test can walk them all. */
  calls: readonly Call[];
  /** Answers a request that has no address, such as one with a Host that is none. */
  refuseUnreadable(error: unknown): Response;
  /** To be told of each request before it is answered, and of those that cannot be read. */
  record: RequestRecorder;
  recordUnread(request: UnreadRequest): void;
  headers: Readonly<Record<string, string>>;
  /** From now on /readyz answers 503, so that no proxy sends further visitors. */
  stopBeingReady(): void;
  close(): Promise<void>;
}

export async function createSite(parts: SiteParts): Promise<SiteApp> {
  const { env, content, database, publicUrl } = parts;
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
  const catalogue = liveCatalogue(db, content);
  const stopTidyingDoor = keepDoorTidy(db);
  const log = new AccessLog(database, new URL(publicUrl).host, env.logMaxMb);
  const metrics = new RequestMetrics();
  const take = (record: AccessRecord) => {
    metrics.count(record);
    log.take(record);
  };
  const stopTidying = keepLogTidy(database, env.logRetentionHours);
  const stopForgetting = keepMessagesFor(env.keepMessagesDays, { db, forgetDeliveriesAbout });
  const links = orderPageLinks(db, publicUrl);
  const writer = { company: content.company, publicUrl, customerPage: links.address };
  const channels = await configuredChannels(env, writer);
  const outbox = createOutbox(database, content.company, channels, NOTIFICATION_KINDS);
  const followPayment = paymentFollower(outbox.notify);
  const book = orderBook(db, followPayment);
  const { gateway, reconciling } = await startPayments(env, db, book, publicUrl);
  const addOnPrices = () => pricesInForce(content.addOns, new Date());

  const { pageCalls, routes, contactPage, contactRefusal } = await documents({
    ...parts,
    catalogue,
    headers,
    addOnPrices,
    paymentConfig: gateway.config,
    receipts: env.mail !== null,
    noMoneyMoves: env.noMoneyMoves,
    demoCredentials: () => demoCredentials(db, env.admin),
  });
  const contact = receiveMessage({ db, notify: outbox.notify });
  const featureCalls: Call[] = [
    ...pageCalls,
    contact,
    answerVisitor({ db, notify: outbox.notify, company: content.company }),
    ...catalogueCalls({ db, catalogue, contentFolder: content.folder }),
    startOrder({
      db,
      cookies,
      gateway,
      follow: followPayment,
      addOnPrices,
      findPlan: async (id) => (await catalogue.fresh()).plans.find((plan) => plan.id === id),
    }),
    ...orderCalls({ db, cookies, gateway, notify: outbox.notify, followPayment }),
    ...orderPageCalls({ db, gateway, links }),
    ...staffOrderCalls({ db, gateway, follow: followPayment }),
    ...gateway.calls,
    ...outboxCalls({ db, outbox, kinds: NOTIFICATION_KINDS }),
    ...signInCalls({ db, cookies, mostFailures: 10 * times }),
    ...sessionCalls(db),
    ...inboxCalls(db),
    ...peopleCalls({
      db,
      gateway,
      receivers: { teams: env.teams !== null, mail: env.mail !== null },
      orderJson: (order) => staffOrderJson(db, order, gateway.staffPage(order)),
      endOrder: (order, username) =>
        endOrder({ db, gateway, follow: followPayment }, order, 'now', username),
      recordAudit,
      deliveriesAbout,
      forgetDeliveriesAbout,
    }),
    ...logCalls({ db, log, metrics, metricsToken: env.metricsToken }),
  ];
  const calls = withOpenApi(featureCalls, `${content.company.name} website`);

  const started = await onceThere([
    catalogue.store,
    () => keepAdminAccount(db, env.admin),
    links.loadKey,
    outbox.start,
    async () => reconciling?.start(),
  ]);
  const couldStore = writeTrial(db);

  const app = new Hono<{ Bindings: HttpBindings }>();
  let ready = true;
  healthRoutes(app, headers.api, async () => ready && started.done() && (await couldStore()));

  // Whatever a call has notified people of is committed by now.
  app.on('POST', '*', async (context, next) => {
    await next();
    if (context.res.ok) outbox.wake();
  });
  app.use('/api/*', async (context, next) => {
    await next();
    const { headers: own } = context.res;
    // A call that is stricter than the others says so itself.
    for (const [name, value] of Object.entries(headers.api))
      if (!own.has(name)) own.set(name, value);
  });
  app.use('/api/*', (_context, next) => withPatience(next));
  app.onError((error, { req }) => refuseFault(error, req.path, headers.api));
  const ground: CallContext = {
    publicOrigin: publicUrl,
    hostCounts: env.publicUrl === null,
    cookies,
    limits,
    allowances: new Allowances(limits),
    visitorAddress: ({ env: bindings, req }) =>
      visitorAddress(
        bindings?.incoming?.socket?.remoteAddress ?? '127.0.0.1',
        req.header('x-forwarded-for'),
        env.trustProxy,
      ),
    findStaff: (cookie) => findStaff(db, cookies.read(cookie, 'session')),
  };
  registerCalls(app, calls, ground);
  receiveForm(app, {
    receive: (context, asked) =>
      answerCall(contact, context, ground, asked).catch((error) =>
        refuseFault(error, context.req.path, headers.api),
      ),
    headers: headers.site,
    page: contactPage,
    refusal: contactRefusal,
  });
  routes(app);

  return {
    app,
    calls,
    refuseUnreadable: (error) =>
      error instanceof RequestError
        ? refuse(400, 'The address or the Host of this request is not valid', {
            headers: headers.api,
          })
        : refuseFault(error, '', headers.api),
    record: requestRecorder(take, env.trustProxy),
    recordUnread: (request) => take(unreadRecord(request)),
    headers: headers.api,
    stopBeingReady() {
      ready = false;
      started.stop();
      reconciling?.stop();
      outbox.stopClaiming();
    },
    async close() {
      // What hangs must not keep the log from being written; what is asked for can be asked again.
      const underWay = Promise.all([started.stop(), reconciling?.stop()]);
      await Promise.race([underWay, setTimeout(PATIENCE_MS)]);
      await Promise.all([stopTidying(), stopTidyingDoor(), stopForgetting()]);
      await outbox.close();
      await log.close();
      await database.close();
    },
  };
}
