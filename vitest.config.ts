import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { TestOrder } from './tools/test-order.ts'

const unit = [
  'clients/*/test/**/*.test.ts',
  'libs/*/src/**/*.test.ts',
  'services/*/src/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'manage/src/**/*.test.ts',
  'all-in-one/src/**/*.test.ts',
]

const project = (name: string, include: string[]): TestProjectConfiguration => ({
  extends: true,
  test: { name, include },
})

export default defineConfig({
  test: {
    environment: 'node',
    // A worker loads a module once for all files that it runs: they share no state but what modules have, which is none.
    isolate: false,
    pool: 'forks',
    // A busy machine takes its time for what is done in a moment elsewhere; what never ends is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { hooks: 'list', sequencer: TestOrder },
    // What is built is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      project('unit', unit),
      project('architecture', ['tests/architecture/*.test.ts']),
      project('system', ['tests/system/*.test.ts']),
      // By deploy/try-testcontainers.mjs alone.
      project('containers', ['libs/testcontainers/test/*.test.ts']),
      // By tools/soak.mjs alone.
      project('soak', ['tests/soak/*.test.ts']),
    ],
  },
})
