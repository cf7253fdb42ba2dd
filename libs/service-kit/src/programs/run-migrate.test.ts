import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { runMigrate } from './run-migrate.ts'

/** No server listens there. */
const NOWHERE = '127.0.0.1:1'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Migration output on standard error. */
async function complaintOf(env: NodeJS.ProcessEnv): Promise<string> {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const migrations = new URL('.', import.meta.url)
  expect(await runMigrate('realm', { env: { ...env, LOG_LEVEL: 'silent' }, migrations })).toBe(1)
  return printed.mock.calls.flat().join(' ')
}

test.each([
  `postgres://u:quite-secret@${NOWHERE}/db`,
  `postgres://u:quite-secret@${NOWHERE},127.0.0.1:2/db?target_session_attrs=read-write`,
  `postgres://u:quite%secret@${NOWHERE}/db`,
  `postgres://u:quite#secret@${NOWHERE}/db`,
  `postgres://u:1234/secret@${NOWHERE}/db`,
  `postgres://u:1234?secret@${NOWHERE}/db`,
  `postgres://u:quite-secret@${NOWHERE}/db?target_session_attrs=standby`,
  `postgres://u:quite-secret@${NOWHERE}/db?sslmode=require`,
  'postgres://u:quite-secret@a:port/db',
  'mysql://u:quite-secret@a/db',
  'quite-secret',
])('migration errors contain no password: %s', async (url) => {
  const complaint = await complaintOf({ DATABASE_URL: url })
  expect(complaint).toMatch(/DATABASE_URL|ECONNREFUSED/)
  expect(complaint).not.toMatch(/secret|1234/)
})

test('nor one from a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tms-migrate-'))
  const file = join(folder, 'url')
  writeFileSync(file, `postgres://u:quite-secret@${NOWHERE}/quite-secret`)
  const complaint = await complaintOf({ DATABASE_URL_FILE: file })
  rmSync(folder, { recursive: true })
  expect(complaint).toMatch(/ECONNREFUSED/)
  expect(complaint).not.toMatch(/secret/)
})
