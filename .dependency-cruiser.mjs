/** Imports go one way: entries → features → platform, ui. Server modules never reach a browser. */
const FEATURES =
  '^src/(home|catalogue|checkout|orders|quotes|payments|contact|chat|news|text-pages|company|resources|account|access-log|inbox|privacy|notifications|staff|safeguards|trust)/';
/** Plain data that everything may import: the site map and the limits. */
const LEAVES = '^src/(routes|limits)\\.ts$';
/** Code that combines features: entries and documents. */
const ENTRIES = '^src/((?!(routes|limits)\\.ts$)[^/]+\\.tsx?$|web/)';

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
      name: 'leaves-import-nothing',
      severity: 'error',
      from: { path: LEAVES },
      to: { path: '^src/' },
    },
    {
      name: 'orders-know-no-buyer',
      comment:
        'a purchase runs one way, types included: checkout and account → payments → orders → notifications',
      severity: 'error',
      from: { path: '^src/orders/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/(checkout|payments|account|privacy)/' },
    },
    {
      name: 'payments-know-no-screen-that-uses-them',
      severity: 'error',
      from: { path: '^src/payments/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/(checkout|account|privacy)/' },
    },
    {
      name: 'notifications-name-no-feature',
      comment:
        'each feature declares what people are notified of; the company and the lines of a price are no feature of their own',
      severity: 'error',
      from: { path: '^src/notifications/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^src/',
        pathNot: `^src/(notifications|platform|ui|company)/|^src/(env\\.server|catalogue/pricing)\\.ts$|${LEAVES}`,
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
