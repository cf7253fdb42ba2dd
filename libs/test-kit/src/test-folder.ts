import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder for a test file's data, below TEST_DATA_DIR where the environment has it. */
export function createTestFolder(env: NodeJS.ProcessEnv): string {
  const parent = env['TEST_DATA_DIR'] ?? tmpdir()
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, 'tms-test-'))
}
