/** Imports go one way. Server modules never reach a browser. */

/** From the highest to the lowest: each imports only those after it, types included. */
const FEATURES = [
  'web',
  'home',
  'privacy',
  'mailbox',
  'inbox',
  'checkout',
  'staff-orders',
  'own-page',
  'price-changes',
  'quotes',
  'payments',
  'orders',
  'billing',
  'access-log',
  'safeguards',
  'trust',
  'resources',
  'text-pages',
  'news',
  'chat',
  'contact',
  'threads',
  'attribution',
  'sign-in',
  'staff',
  'notifications',
  'catalogue',
  'company',
  'ui',
  'platform',
];
/** Plain data that everything may import: the site map and the limits. */
const LEAVES = '^src/(routes|limits)\\.ts$';
/** Files that put the features together: the entries, the environment and the content. */
const ENTRIES = '^src/(?!(routes|limits)\\.ts$)[^/]+\\.tsx?$';
/** Names the types of all features, and is followed no further: no import of it is a circle. */
const SITE = '^src/site\\.server\\.ts$';

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
      name: 'nobody-imports-an-entry',
      comment: 'a feature that needs one is in the wrong place',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '\\.test\\.tsx?$' },
      to: { path: ENTRIES, pathNot: SITE },
    },
    {
      name: 'site-is-for-features',
      comment: 'what is technical names what it needs; features take the type, and no code',
      severity: 'error',
      from: { path: '^src/(platform|ui)/' },
      to: { path: SITE },
    },
    {
      name: 'site-is-a-type',
      severity: 'error',
      from: {},
      to: { path: SITE, dependencyTypesNot: ['type-only'] },
    },
    ...FEATURES.slice(1).map((feature, index) => ({
      name: `${feature}-imports-no-higher-feature`,
      severity: 'error',
      from: { path: `^src/${feature}/`, pathNot: '\\.test\\.tsx?$' },
      to: { path: `^src/(${FEATURES.slice(0, index + 1).join('|')})/` },
    })),
    {
      name: 'features-have-a-place',
      comment: 'a new folder needs a place in FEATURES',
      severity: 'error',
      from: { path: `^src/(?!(${FEATURES.join('|')})/)[^/]+/` },
      to: {},
    },
    {
      name: 'leaves-import-nothing',
      severity: 'error',
      from: { path: LEAVES },
      to: { path: '^src/' },
    },
    {
      name: 'no-server-code-in-browsers',
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
    doNotFollow: { path: ['node_modules', SITE] },
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
