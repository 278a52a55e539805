/** Whether this is `npm run test:full`, which runs every test on both databases and both screens. */
export const EVERYTHING = process.env.TEST_PLAN === 'everything';

/** What the gate, `npm test`, leaves to the full run: files by the reason that it names at its end. */
export const LEFT_TO_FULL_RUN: Record<string, readonly string[]> = {
  'servers that are started, stopped or killed again and again': [
    'tests/endurance/{outbox-kills,postgres-outage,rolling-upgrade,slow-clients}.test.ts',
    'tests/endurance/{flood,price-change-kills,step-kills,stops,stripe-instances}.test.ts',
    'tests/features/platform/{start-and-stop,start-on-a-database}.test.ts',
  ],
  'backups, moves to another database and the container': [
    'tests/features/platform/{backup,db-move}.test.ts',
  ],
  'screens at every width, in both themes and with every malformed answer': [
    'tests/answers/payment-config.test.ts',
  ],
  // In the gate, src/ui/text-nodes.test.ts reads in every component that no text can be in the way of a translation.
  'journeys on PostgreSQL, on the other screen, in Firefox and WebKit and in a browser that translates':
    ['tests/journeys/platform/translated.test.ts'],
};

/** The gate runs these on SQLite alone, because the database plays no part in them. */
export const WITHOUT_DATABASE: readonly string[] = [
  'src/{company,safeguards,trust,ui,web}/**/*.test.*',
  'src/platform/{*,config/*,http/*}.test.*',
  'src/{catalogue/pricing,checkout/place-order,content,orders/order}.test.ts',
  'src/{notifications/{mail,teams},payments/{stripe,test-gateway}/*}.test.ts',
  'tests/endurance/{costly-requests,generated-requests}.test.ts',
  'tests/endurance/{plan-lives,stripe-any-order,stripe-orders}.test.ts',
  'tests/features/payments/stripe-hangs.test.ts',
  'tests/features/platform/{broken-page,built-scripts,cookies,doctor,headers}.test.ts',
  'tests/features/platform/{greedy-connections,limits,lockfile,own-host,page-bytes,patterns}.test.ts',
  'tests/features/platform/{prepared-pages,site-map,spellings,thrown-words}.test.ts',
  'tests/features/platform/unreadable-requests.test.ts',
];

/** Timeout for anything a test waits for: a busy machine can stall for half a minute. */
export const TIMEOUT_MS = 90_000;
