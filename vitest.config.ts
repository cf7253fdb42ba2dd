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
    // Generous, since a busy machine is slow; a test that never ends still fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Of tests that run side by side because they mostly wait.
    maxConcurrency: 10,
    sequence: { hooks: 'list', sequencer: TestOrder },
    // Built files are loaded without transformation.
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      // Files share processes, which load each module once.
      project('unit', unit, false),
      project('architecture', ['tests/architecture/*.test.ts'], false),
      // A process for each file: leftover work of a failed file can't affect the next.
      project('system', ['tests/system/*.test.ts'], true),
      // Run only by tests/trials/testcontainers.ts.
      project('containers', ['libs/testcontainers/test/*.test.ts'], true),
      // Run only by tools/soak.ts.
      project('soak', ['tests/soak/*.test.ts'], true),
    ],
  },
})
