import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { runMigrations } from '@tms/local-system'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'

const repoRoot = fileURLToPath(new URL('../..', import.meta.url))
const SCHEMA_CHECK = join(repoRoot, 'tools', 'prisma-schema-check.mjs')

let databases: TestDatabases
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
}, 180_000)
afterAll(() => databases.stop(), 30_000)

describe('databases', () => {
  test.each(['users', 'realm'] as const)(
    'the Prisma schema of %s says what its migrations make',
    async (service) => {
      const schema = join(repoRoot, 'services', service, 'prisma', 'schema.prisma')

      const compared = spawnSync(process.execPath, [SCHEMA_CHECK, databases.urls[service], schema], {
        encoding: 'utf8',
      })

      expect(compared).toMatchObject({ status: 0, stderr: '' })
    },
  )

  test('migrating again changes nothing and succeeds, two at once', async () => {
    const migrate = () => runMigrations({ repoRoot, databaseUrls: databases.urls, env: process.env })

    await expect(Promise.all([migrate(), migrate()])).resolves.toBeDefined()
  }, 30_000)
})
