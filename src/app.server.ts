/** Assembles the site: every feature with what it needs, its calls, and its background work. */
import { setTimeout } from 'node:timers/promises';
import { AccessLog } from './access-log/access-log.server.ts';
import { accessLogFeature } from './access-log/access-log-feature.server.ts';
import { malformedRecord, requestRecorder } from './access-log/access-record.server.ts';
import { attributionFeature } from './attribution/attribution-feature.server.ts';
import { billingFeature } from './billing/billing-feature.server.ts';
import { tryOrder } from './billing/order-store.server.ts';
import { PaymentChecks } from './billing/refresh-order.server.ts';
import { catalogueFeature } from './catalogue/catalogue-feature.server.ts';
import { liveCatalogue } from './catalogue/live-catalogue.server.ts';
import { chatFeature } from './chat/chat-feature.server.ts';
import { checkoutFeature } from './checkout/checkout-feature.server.ts';
import { todayOf } from './company/days.ts';
import { contactFeature } from './contact/contact-feature.server.ts';
import { type Content, remoteOrigins } from './content.server.ts';
import type { Env } from './env.server.ts';
import { inboxFeature } from './inbox/inbox-feature.server.ts';
import { DEMO_FACTOR } from './limits.ts';
import { mailboxFeature } from './mailbox/mailbox-feature.server.ts';
import { openFaults } from './notifications/faults.server.ts';
import { LOGO_IDS, type MailLogo } from './notifications/notification.server.ts';
import { notificationsFeature } from './notifications/notifications-feature.server.ts';
import { configuredChannels, createOutbox } from './notifications/outbox.server.ts';
import { ownAddresses } from './notifications/own-address.server.ts';
import { termsVersion, textVersion } from './orders/accepted-terms.server.ts';
import { ordersFeature } from './orders/orders-feature.server.ts';
import { ownPageFeature } from './own-page/own-page-feature.server.ts';
import { paymentProvider, startPayments } from './payments/start-payments.server.ts';
import { CannotStart } from './platform/config/cannot-start.server.ts';
import { findCopies } from './platform/database/copies.server.ts';
import type { Database } from './platform/database/database.server.ts';
import { whenDatabaseReady } from './platform/database/database-unavailable.server.ts';
import type { BuiltAssets } from './platform/http/assets.server.ts';
import { requestIp } from './platform/http/client-ip.server.ts';
import { headerSets } from './platform/http/headers.server.ts';
import { writeProbe } from './platform/http/health.server.ts';
import type { MalformedRequest } from './platform/http/http-server.server.ts';
import type { Metrics } from './platform/http/metrics.server.ts';
import { withOpenApi } from './platform/http/openapi.server.ts';
import { RateLimits } from './platform/http/rate-limit.server.ts';
import { Interval, startSequentially } from './platform/interval.server.ts';
import { SECOND_MS } from './platform/time.ts';
import { priceChangesFeature } from './price-changes/price-changes-feature.server.ts';
import { privacyFeature } from './privacy/privacy-feature.server.ts';
import { quotesFeature } from './quotes/quotes-feature.server.ts';
import { STAFF_PATHS } from './routes.ts';
import { safeguardsFeature } from './safeguards/safeguards-feature.server.ts';
import { syncAdminAccount } from './sign-in/password-account.server.ts';
import { signInFeature } from './sign-in/sign-in-feature.server.ts';
import type { Feature, Site } from './site.server.ts';
import { failureAudit } from './staff/audit-store.server.ts';
import { endSessionsOf, findStaff } from './staff/sessions.server.ts';
import { staffFeature } from './staff/staff-feature.server.ts';
import { publishedOn } from './text-pages/published.server.ts';
import { firstAnswersFigure } from './threads/first-answers.server.ts';
import { threadEvents } from './threads/thread-events.server.ts';
import { threadsFeature } from './threads/threads-feature.server.ts';
import { documents, failureReport } from './web/documents.server.ts';
import { requestListener } from './web/request-listener.server.ts';

/** How long a stop waits for background work when a payment provider or the database hangs. */
const STOP_TIMEOUT_MS = 500;

/** Their intervals run first in this order, those with calls to other services last. */
const FEATURES: readonly Feature[] = [
  accessLogFeature,
  catalogueFeature,
  threadsFeature,
  contactFeature,
  chatFeature,
  inboxFeature,
  quotesFeature,
  checkoutFeature,
  ordersFeature,
  ownPageFeature,
  safeguardsFeature,
  attributionFeature,
  signInFeature,
  staffFeature,
  privacyFeature,
  notificationsFeature,
  priceChangesFeature,
  billingFeature,
  mailboxFeature,
];

export const NOTIFICATION_KINDS = FEATURES.flatMap(({ notifications = [] }) => notifications);

interface SiteParts {
  env: Env;
  content: Content;
  database: Database;
  publicUrl: string;
  assets: BuiltAssets;
  metrics: Metrics | null;
}

export async function createSite(parts: SiteParts) {
  const { env, metrics } = parts;
  const { site, payments, workSignIn, pages } = await assemble(parts);
  const { db, headers, log, events, catalogue, outbox } = site;
  const calls = withOpenApi(
    [
      failureReport,
      ...FEATURES.flatMap((feature) => (feature.calls ?? []).flatMap((callsOf) => callsOf(site))),
      ...payments.calls,
      ...(env.oidc && workSignIn
        ? (await import('./sign-in/oidc-sign-in.server.ts')).oidcCalls(site, env.oidc, workSignIn)
        : []),
    ],
    `${site.company.name} website`,
  );
  const intervals = [
    ...FEATURES.flatMap(({ intervals: own = [] }) =>
      own.flatMap((intervalsOf) => intervalsOf(site)),
    ),
    ...payments.intervals,
  ];
  // Content may change, and its pages must be rendered again.
  const preparing = new Interval('page-preparation-failed', SECOND_MS, pages.prepare);
  const started = await whenDatabaseReady([
    () => refuseExample(site),
    catalogue.store,
    () => (env.staffPassword ? syncAdminAccount(db, env.admin) : endSessionsOf(db, 'password')),
    async () => {
      if (!env.oidc) await endSessionsOf(db, 'oidc');
    },
    outbox.start,
    async () => void startSequentially(intervals),
  ]);
  const stopIntervals = () =>
    Promise.all([started, ...intervals, preparing].map((running) => running.stop()));

  let ready = true;
  const canStore = writeProbe(db, tryOrder);
  const isReady = async () => ready && started.isDone() && (await canStore());
  metrics?.watch({
    isReady,
    openStreams: events.countOpen,
    outbox: outbox.countByChannel,
    faults: () => openFaults(db),
    copiedAt: () => (env.backups ? findCopies(env, env.backups.folder).at(-1)?.madeAt : undefined),
  });
  const listener = requestListener({
    site,
    pages,
    calls,
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

/** In the domain that no company can have, as in content/company.json. */
const EXAMPLE = '@tidewell.example';

/** An upgrade that leaves the company's own content behind would sell at the example's prices. */
export async function refuseExample({
  env,
  company,
  db,
}: Pick<Site, 'env' | 'company' | 'db'>): Promise<void> {
  if (env.isDemo || !company.email.endsWith(EXAMPLE)) return;
  const order = await db.selectFrom('orders').select('id').limit(1).executeTakeFirst();
  if (order)
    throw new CannotStart(
      `The content in ${env.contentDir} is the example company's, and the database has orders: name the folder of your own content in CONTENT_DIR (DEMO_MODE=on says that the example is meant)`,
    );
}

/** Both, or else the company's name stands in their place. */
function mailLogos({ pictureFiles }: Content): MailLogo[] {
  const logos = LOGO_IDS.flatMap((id) => {
    const file = pictureFiles.find(({ name }) => name === `${id}.png`);
    return file ? [{ id, png: file.identity }] : [];
  });
  return logos.length === LOGO_IDS.length ? logos : [];
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
  const isOwnAddress = ownAddresses(env.mail, company);
  const about = { db, company, publicUrl, isOwnAddress, logos: mailLogos(content) };
  const channels = await configuredChannels(env, about);
  const outbox = createOutbox(db, company, channels, NOTIFICATION_KINDS);
  const { notify } = outbox;
  const paymentChecks = new PaymentChecks();
  const payments = startPayments(provider, {
    db,
    notify,
    paymentChecks,
    company,
    faults: outbox.faults,
  });
  // Libraries that only a setting needs are loaded with it.
  const workSignIn =
    env.oidc && (await import('./sign-in/oidc-provider.server.ts')).openIdProvider(env.oidc);
  // What staff look at themselves are no visits.
  const log = new AccessLog(db, env.logMaxMb, (path) =>
    STAFF_PATHS.includes(path) ? undefined : pages.pageOf(path),
  );
  const site: Site = {
    env,
    content,
    company,
    assets,
    database,
    db,
    publicUrl,
    hostCounts: env.publicUrl === null,
    limits: new RateLimits(limitFactor),
    headers,
    clientIp: (incoming) => requestIp(incoming, env.trustProxy),
    findStaff: (token, prolongs) => findStaff(db, token, env.secondFactorRequired, prolongs),
    mail: env.mail !== null,
    isOwnAddress,
    notify,
    outbox,
    firstAnswers: firstAnswersFigure(db, company),
    events: threadEvents(db),
    failureAudit: failureAudit(db),
    catalogue,
    today,
    gateway: payments.gateway,
    paymentConfig: payments.config,
    paymentChecks,
    termsOfService: () => termsVersion(publishedOn(content, today()).texts),
    addendum: () => textVersion(publishedOn(content, today()).texts, 'safeguards-addendum'),
    signInMethods: () => ({
      password: env.staffPassword,
      work: workSignIn && { canSignOut: workSignIn.canSignOut() },
    }),
    log,
  };
  const pages = await documents(site);
  return { site, payments, workSignIn, pages };
}
