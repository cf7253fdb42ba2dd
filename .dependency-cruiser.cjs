// Who may import whom, types included. What depends on telling types from values (cycles, database drivers,
// what rules may call) is in .oxlintrc.json: without TypeScript's own compiler API this tool can't tell.
module.exports = {
  forbidden: [
    {
      name: 'no-service-imports-a-service',
      comment: 'Services talk by HTTP contract or by event.',
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
      comment: 'They are published, for browsers too.',
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
        pathNot: ['^libs/test-kit/', '^tests/', '^tools/(test|soak)\\.mjs$', '\\.test\\.ts$', '^bench/'],
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
