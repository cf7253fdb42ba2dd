// Allowed imports between packages, including type imports. Rules that must distinguish types from values (cycles, database
// drivers, calls of rules) are in .oxlintrc.json: without TypeScript's compiler API this tool can't distinguish them.
module.exports = {
  forbidden: [
    {
      name: 'folders-import-one-way',
      comment:
        'Folders beside each other, at any depth. What a folder in a folder imports, the outer one imports too.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^((libs|services|clients)/[^/]+|manage|all-in-one|bench)/src/' },
      to: { circular: true },
    },
    {
      name: 'nothing-in-a-folder-imports-the-composition-root',
      comment:
        'Files directly in src/ compose the folders, so they import folders and not the other way round.',
      severity: 'error',
      from: {
        path: '^((?:libs|services|clients)/[^/]+|manage|all-in-one|bench)/src/[^/]+/',
      },
      to: { path: '^$1/src/[^/]+$' },
    },
    {
      name: 'a-kernel-imports-only-itself',
      comment: 'A kernel is what folders of use cases share, so it imports none of them.',
      severity: 'error',
      from: { path: '^(services/[^/]+)/src/kernel/' },
      to: { path: '^$1/src/', pathNot: '^$1/src/(kernel|generated)/' },
    },
    {
      name: 'owners-and-polls-communicate-by-redis',
      comment:
        'The owner of a partition and the replica with a pending poll are different processes of the events service.',
      severity: 'error',
      from: { path: '^services/events/src/(partitions|queues)/' },
      to: { path: '^services/events/src/(partitions|queues)/', pathNot: '^services/events/src/$1/' },
    },
    {
      name: 'no-service-imports-a-service',
      comment: 'Services communicate by HTTP contracts and events only.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: {
        path: ['^services/([^/]+)/', '^@tms/(gateway|users|realm|messaging|events)'],
        pathNot: '^services/$1/',
      },
    },
    {
      name: 'libs-import-no-service',
      severity: 'error',
      from: { path: '^(libs|manage)/' },
      to: { path: ['^services/', '^@tms/(gateway|users|realm|messaging|events)'] },
    },
    {
      name: 'clients-import-nothing',
      comment: 'Clients are published packages, for browsers too.',
      severity: 'error',
      from: { path: '^clients/[^/]+/src/' },
      to: { pathNot: '^clients/' },
    },
    {
      name: 'contracts-import-only-zod',
      severity: 'error',
      from: { path: '^libs/contracts/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^libs/contracts/src/', '(^|/)node_modules/zod/', '^zod$'] },
    },
    {
      name: 'service-kit-imports-only-contracts',
      severity: 'error',
      from: { path: '^libs/service-kit/src/' },
      to: { path: '^libs/(?!contracts/|service-kit/)' },
    },
    {
      name: 'only-tests-use-the-test-kit',
      severity: 'error',
      from: {
        pathNot: ['^libs/test-kit/', '^tests/', '^tools/(test|soak)\\.ts$', '\\.test\\.ts$', '^bench/'],
      },
      to: { path: '^libs/test-kit/' },
    },
    {
      name: 'nothing-imports-a-main',
      severity: 'error',
      from: {},
      to: { path: '^services/[^/]+/src/(main|migrate)\\.ts$' },
    },
    {
      name: 'nothing-imports-a-test',
      severity: 'error',
      from: {},
      to: { path: '\\.test\\.ts$' },
    },
    {
      name: 'everything-resolves',
      comment: 'Tools run before anything is built.',
      severity: 'error',
      from: { pathNot: '^tools/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['/generated/'] },
    tsPreCompilationDeps: true,
    detectJSDocImports: false,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
}
