import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { TestOrder } from './tools/test-order.ts'

const unit = [
  'clients/*/test/**/*.test.ts',
  'libs/*/src/**/*.test.ts',
  'services/*/src/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'manage/src/**/*.test.ts',
  'all-in-one/src/**/*.test.ts',
  'tests/system/*/*.test.ts',
]

const project = (name: string, include: string[], isolate: boolean): TestProjectConfiguration => ({
  extends: true,
  test: { name, include, isolate },
})

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // A busy machine takes its time for what is done in a moment elsewhere; what never ends is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { hooks: 'list', sequencer: TestOrder },
    // What is built is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      // A process runs many of these files, and loads each module once.
      project('unit', unit, false),
      project('architecture', ['tests/architecture/*.test.ts'], false),
      // A process for each file: what a file that failed goes on doing is no burden to the next.
      project('system', ['tests/system/*.test.ts'], true),
      // By deploy/try-testcontainers.mjs alone.
      project('containers', ['libs/testcontainers/test/*.test.ts'], true),
      // By tools/soak.mjs alone.
      project('soak', ['tests/soak/*.test.ts'], true),
    ],
  },
})
