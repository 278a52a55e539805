/** Imports run one way: entries → features → platform, ui; and the server's own never reach a browser. */
const FEATURES =
  '^src/(home|catalogue|checkout|orders|quotes|payment|contact|chat|news|legal|company|resources|access-log|inbox|people|notify|admin|discovery|safeguards|trust)/';
/** What puts features together, top down: entries, documents, the map of the pages. */
const ENTRIES = '^src/([^/]+\\.tsx?$|(documents|pages)/)';

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-circles-in-tests',
      severity: 'error',
      from: { pathNot: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'ground-knows-no-feature',
      comment: 'platform and ui carry the features, so they must not lean on one',
      severity: 'error',
      from: { path: '^src/(platform|ui)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: FEATURES, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-an-entry',
      comment:
        'what stands at the top puts features together; a feature that needs it is in the wrong place',
      severity: 'error',
      from: { path: FEATURES, pathNot: '\\.test\\.tsx?$' },
      to: { path: ENTRIES, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'servers-meet-at-the-entries',
      comment:
        'what one feature’s server needs of another’s is handed to it in app.server.ts; a type may be imported',
      severity: 'error',
      from: { path: `${FEATURES}.*\\.server\\.tsx?$` },
      to: {
        path: `${FEATURES}.*\\.server\\.tsx?$`,
        pathNot: '^src/($1|orders)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-the-shop-writes-orders',
      comment:
        'the buyer’s room and the payment providers move orders; other servers are handed what they need',
      severity: 'error',
      from: {
        path: `${FEATURES}.*\\.server\\.tsx?$`,
        pathNot: '^src/(checkout|payment|orders)/',
      },
      to: { path: '^src/orders/.*\\.server\\.tsx?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'checkout-payment-orders-notify',
      comment:
        'a purchase runs one way, types included: a provider knows orders, orders know no provider and no checkout',
      severity: 'error',
      from: { path: '^src/orders/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/(checkout|payment)/' },
    },
    {
      name: 'payment-knows-no-checkout',
      severity: 'error',
      from: { path: '^src/payment/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/checkout/' },
    },
    {
      name: 'notify-names-no-feature',
      comment:
        'each feature declares what it has people notified of; types count too, and the company and the lines of a price are no news',
      severity: 'error',
      from: { path: '^src/notify/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^src/',
        pathNot: '^src/(notify|platform|ui|company)/|^src/catalogue/pricing\\.ts$',
      },
    },
    {
      name: 'the-wall',
      comment: 'what a browser loads must not reach the server’s own modules',
      severity: 'error',
      from: { path: '\\.(browser\\.tsx?|tsx)$', pathNot: '\\.(server|test)\\.tsx?$' },
      to: { path: '\\.server\\.tsx?$', reachable: true },
    },
    {
      name: 'product-without-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^tests/' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^vite/client$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
