const transform = {
  '^.+\\.(ts|mts)$': [
    '@swc/jest',
    { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
  ],
}
const common = { extensionsToTreatAsEsm: ['.ts'], transform, testEnvironment: 'node', rootDir: '.' }

export default {
  testSequencer: '<rootDir>/tools/test-order.mjs',
  // A busy machine takes its time for what is done in a moment elsewhere; what never ends is found all the same.
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/clients/*/test/**/*.test.ts',
        '<rootDir>/libs/*/src/**/*.test.ts',
        '<rootDir>/services/*/src/**/*.test.ts',
        '<rootDir>/bench/src/**/*.test.ts',
        '<rootDir>/manage/src/**/*.test.ts',
        '<rootDir>/all-in-one/src/**/*.test.ts',
      ],
    },
    { ...common, displayName: 'architecture', testMatch: ['<rootDir>/tests/architecture/*.test.ts'] },
    { ...common, displayName: 'system', testMatch: ['<rootDir>/tests/system/*.test.ts'] },
    // By deploy/try-testcontainers.mjs alone.
    { ...common, displayName: 'containers', testMatch: ['<rootDir>/libs/testcontainers/test/*.test.ts'] },
    // By tools/soak.mjs alone.
    { ...common, displayName: 'soak', testMatch: ['<rootDir>/tests/soak/*.test.ts'] },
  ],
}
