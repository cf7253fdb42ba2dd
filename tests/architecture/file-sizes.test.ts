import { expect, test } from 'vitest'
import { listFiles, read } from './support/repository.ts'

const MAX_LINES = 400
const MAX_TEST_LINES = 600
/** Longer files, with their length; the list may only shrink. */
const LONGER: Readonly<Record<string, number>> = {
  // The initial schema of a service is one file.
  'services/messaging/migrations/0001_messaging.sql': 600,
}

test('limits files to 400 lines and tests to 600', () => {
  const sources = ['clients', 'libs', 'services', 'tests', 'tools', 'bench', 'manage', 'deploy']
    .flatMap((folder) => listFiles(folder))
    .filter((path) => /\.(ts|mjs|cjs|sql|lua)$/.test(path))
  const tooLong = sources
    .map((path) => ({ path, lines: read(path).trimEnd().split('\n').length }))
    .filter(({ path, lines }) => {
      const limit = LONGER[path] ?? (/^tests\/|\.test\.ts$/.test(path) ? MAX_TEST_LINES : MAX_LINES)
      return lines > limit
    })
  expect(tooLong).toEqual([])
})
