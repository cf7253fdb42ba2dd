import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a folder for a test file's data, below TEST_DATA_DIR if that is set. Other users may enter it: if root runs
 * the tests, PostgreSQL runs as another user, and otherwise it would store its files elsewhere, where they would
 * remain.
 */
export function createTestFolder(env: NodeJS.ProcessEnv): string {
  const parent = env['TEST_DATA_DIR'] ?? tmpdir()
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'tms-test-'))
  chmodSync(folder, 0o711)
  return folder
}
