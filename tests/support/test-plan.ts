/** Whether this is `npm run test:full`, which runs every test on both databases and both screens. */
export const EVERYTHING = process.env.TEST_PLAN === 'everything';

/** What the gate, `npm test`, leaves to the full run: files by the reason that it names at its end. */
export const LEFT_TO_FULL_RUN: Record<string, readonly string[]> = {
  'servers that are started, stopped or killed again and again': [
    'tests/endurance/{outbox-kills,postgres-outage,slow-clients}.test.ts',
    'tests/endurance/{flood,price-change-kills,step-kills,stops,stripe-instances}.test.ts',
    'tests/features/platform/{start-and-stop,start-on-a-database}.test.ts',
  ],
  // In the gate, features/platform/what-may-grow floods what is left of a day's space.
  'networks that store all they can for an hour or a day': [
    'tests/endurance/storage-shares.test.ts',
  ],
  'backups, moves to another database and the container': [
    'tests/features/platform/{backup,db-move}.test.ts',
  ],
  // tests/answers/specification.test.ts stays in the gate, and so do the failures that the journeys of each feature try.
  'screens at every width, in both themes, with every malformed answer and every failing part': [
    'tests/answers/{answers,boundaries,forms,payment-config}.test.ts',
  ],
  // In the gate, journeys/checkout/in-sight, ui/working-buttons and buy-a-plan with only a keyboard look at the same.
  'the focus on every control at 400 %, presses at every moment, and pages that are left and come back':
    ['tests/journeys/{ui/focus-in-view,platform/presses,platform/page-life}.test.ts'],
  // In the gate, features/platform/another-company reads all pages of the other company.
  'tooltips, the carousel, the wait on the page for 404, and another company’s content in a browser':
    ['tests/journeys/{home/{another-company,carousel,not-found},ui/tooltips}.test.ts'],
  // In the gate, src/ui/text-nodes.test.ts reads in every component that no text can be in the way of a translation.
  'journeys on PostgreSQL, on the other screen, in Firefox and WebKit and in a browser that translates':
    ['tests/journeys/platform/translated.test.ts'],
  'twenty threads answered in a row, and connections that say nothing': [],
  'what other services answer, on PostgreSQL': [],
};

/**
 * The gate runs these on SQLite alone. In most, the database plays no part; the others vary what another service answers
 * or how a request is spelled, and their statements run on PostgreSQL in route-walk and in the files of the same folder.
 */
export const SQLITE_ALONE: readonly string[] = [
  'src/{company,safeguards,trust,ui,web}/**/*.test.*',
  'src/platform/{*,browser/*,config/*,http/*}.test.*',
  'src/{catalogue/pricing,checkout/place-order,content,orders/order}.test.ts',
  'src/{access-log/access-record,attribution/read-visit,billing/invoice,billing/order-status}.test.ts',
  'src/{notifications/{mail,render-email,teams},payments/{stripe,test-gateway}/*}.test.ts',
  'src/{price-changes/first-charge,sign-in/{oidc-sign-in,password,totp}}.test.ts',
  'tests/endurance/{costly-requests,generated-requests}.test.ts',
  'tests/endurance/{plan-lives,stripe-any-order,stripe-orders}.test.ts',
  'tests/features/catalogue/price-answers.test.ts',
  'tests/features/notifications/own-page-notifications.test.ts',
  'tests/features/payments/stripe-{after-change,confirm-renewal,given-up,hangs,later}.test.ts',
  'tests/features/payments/stripe-{price-changes,reconcile,second,signatures,start}.test.ts',
  'tests/features/payments/stripe-{status-checks,strangers,subscriptions*,tax}.test.ts',
  'tests/features/platform/{another-company,broken-page,built-scripts,configuration}.test.ts',
  'tests/features/platform/{cookies,doctor,documents,headers,hostile-requests,query-plans}.test.ts',
  'tests/features/platform/{greedy-connections,limits,lockfile,own-host,page-bytes,patterns}.test.ts',
  'tests/features/platform/{prepared-pages,site-map,spellings,thrown-words}.test.ts',
  'tests/features/platform/unreadable-requests.test.ts',
  'tests/features/quotes/{invoices-at-stripe,quotes-at-stripe}.test.ts',
];

/** Timeout for anything a test waits for: a busy machine can stall for half a minute. */
export const TIMEOUT_MS = 90_000;

/** Its hash waits instead of working (set-up.ts), because many of them kept both processors busy. */
export const ONE_OF_MANY_GUESSES = 'one of many guesses';
