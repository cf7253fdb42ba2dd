import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder for a test file's data, below TEST_DATA_DIR where the environment has it. Others may enter it, as PostgreSQL
 * does where root runs the tests: kept out it has its files elsewhere, and they stay.
 */
export function createTestFolder(env: NodeJS.ProcessEnv): string {
  const parent = env['TEST_DATA_DIR'] ?? tmpdir()
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'tms-test-'))
  chmodSync(folder, 0o711)
  return folder
}
