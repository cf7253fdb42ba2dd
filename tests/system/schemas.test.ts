import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createDatabases, databaseUrls, runMigrations, type Servers } from '@tms/local-system'
import { provideTestServers } from '@tms/test-kit'

const repoRoot = fileURLToPath(new URL('../..', import.meta.url))
const SCHEMA_CHECK = join(repoRoot, 'tools', 'prisma-schema-check.mjs')
const dataDir = mkdtempSync(join(tmpdir(), 'tms-schemas-'))

let servers: Servers
let urls: ReturnType<typeof databaseUrls>
beforeAll(async () => {
  servers = await provideTestServers({ dataDir, env: process.env })
  await createDatabases(servers.postgres.url, '')
  urls = databaseUrls(servers.postgres.url, '')
  await runMigrations({ repoRoot, databaseUrls: urls, env: process.env })
}, 180_000)
afterAll(async () => {
  await servers.stop()
  rmSync(dataDir, { recursive: true, force: true })
}, 30_000)

describe('databases', () => {
  test.each(['users', 'realm'] as const)(
    'the Prisma schema of %s says what its migrations make',
    async (service) => {
      const schema = join(repoRoot, 'services', service, 'prisma', 'schema.prisma')

      const compared = spawnSync(process.execPath, [SCHEMA_CHECK, urls[service], schema], {
        encoding: 'utf8',
      })

      expect(compared).toMatchObject({ status: 0, stderr: '' })
    },
  )

  test('migrating again changes nothing and succeeds, two at once', async () => {
    const migrate = () => runMigrations({ repoRoot, databaseUrls: urls, env: process.env })

    await expect(Promise.all([migrate(), migrate()])).resolves.toBeDefined()
  }, 30_000)
})
