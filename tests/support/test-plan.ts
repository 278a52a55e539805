/** Whether this is `npm run test:full`: every test, on each database or screen that it minds. */
export const EVERYTHING = process.env.TEST_PLAN === 'everything';

/** What the gate leaves to the full run: files by the reason that it names at its end. */
export const LEFT_TO_FULL_RUN: Record<string, readonly string[]> = {
  // Marked in their files: support/variant.ts.
  'the second to tenth way to do or fail at what the gate tries once, and states of a screen like others':
    [],
  'servers that are started, stopped or killed again and again, and a receiver that is down for a minute':
    [
      'tests/endurance/{outbox-kills,postgres-outage}.test.ts',
      'tests/endurance/{step-kills,stops,stripe-instances}.test.ts',
      'tests/features/platform/{start-and-stop,start-on-a-database}.test.ts',
    ],
  'backups, moves to another database, the doctor and the container': [
    'tests/features/platform/{backup,db-move,doctor}.test.ts',
  ],
  // In the gate, answers/specification and the failures that each feature's journeys try.
  'screens at every width, in both themes, with malformed answers and failing parts': [
    'tests/answers/{answers,boundaries}.test.ts',
  ],
  // In the gate, checkout/in-sight, ui/working-buttons and buy-a-plan with only a keyboard.
  'the focus on every control at 400 %': ['tests/journeys/ui/focus-in-view.test.ts'],
  'tooltips, the carousel, and the wait on the page for 404': [
    'tests/journeys/{home/{carousel,not-found},ui/tooltips}.test.ts',
  ],
  'journeys on the other screen, in Firefox and WebKit': [],
  // In the gate, src/staff/sessions.test.ts sends the header of what a page asks by itself.
  'threads answered in a row, and what an open staff page asks by itself': [
    'tests/journeys/{inbox/answer-all,staff/staff-by-itself}.test.ts',
  ],
  'what other services answer, and statements that other files run, on PostgreSQL': [],
};

/**
 * The gate runs these on SQLite alone. In most, the database plays no part; the others vary what
 * another service answers or how a request is spelled, or their statements, up to a few plain ones,
 * run on PostgreSQL in other files: a recording of what each file executes there showed which.
 */
export const SQLITE_ALONE: readonly string[] = [
  'src/{company,contact,safeguards,trust,ui,web}/**/*.test.*',
  'src/platform/{*,browser/*,config/*,http/*}.test.*',
  'src/{catalogue/pricing,checkout/place-order,content,orders/order}.test.ts',
  'src/{access-log/{access-log,access-record},attribution/*,chat/chat}.test.ts',
  'src/{inbox/answer-thread,threads/first-answers}.test.ts',
  'src/{text-pages/*,billing/{refresh-order,invoice,order-*,settle}}.test.ts',
  'src/{notifications/{graph,mail,render-email,teams,webhook},orders/order-mails}.test.ts',
  'src/payments/{stripe,test-gateway}/*.test.ts',
  'src/{price-changes/first-charge,sign-in/{failures,oidc-sign-in,password,sign-in,totp}}.test.ts',
  'tests/endurance/plan-lives.test.ts',
  'tests/features/{catalogue/*,contact/{contact-fields,form-without-script},orders/{orders,staff-files}}.test.ts',
  'tests/features/notifications/{floods,notify,order-notifications}.test.ts',
  'tests/features/notifications/own-page-notifications.test.ts',
  'tests/features/payments/stripe-{after-change,confirm-renewal,end-refused,erased,given-up,hangs,later}.test.ts',
  'tests/features/payments/stripe-{price-changes,reconcile,second,signatures,start}.test.ts',
  'tests/features/payments/stripe-{status-checks,strangers,subscriptions*,tax,webhook}.test.ts',
  'tests/features/{payments/test-gateway,privacy/erase-person}.test.ts',
  'tests/features/safeguards/safeguards-report.test.ts',
  'tests/features/platform/{another-company,broken-page,built-scripts,configuration}.test.ts',
  'tests/features/platform/{cookies,documents,headers,hostile-requests,query-plans}.test.ts',
  'tests/features/platform/{pipelining,limits,lockfile,own-host,page-bytes,patterns}.test.ts',
  'tests/features/platform/{site-map,spellings,thrown-words}.test.ts',
  'tests/features/platform/{request-ids,unreadable-requests}.test.ts',
  'tests/features/quotes/{fee-and-start-day,invoice-quotes,planted-amount}.test.ts',
  'tests/features/quotes/{quoted-price,quotes,*-at-stripe}.test.ts',
];

/** Timeout for anything a test waits for: a busy machine can stall for half a minute. */
export const TIMEOUT_MS = 90_000;
