import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createDatabases, databaseUrls, dropDatabases, runMigrations } from '@tms/local-system'
import { createTestFolder } from './test-folder.ts'
import { provideTestServers } from './test-servers.ts'

const repoRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** The services' databases, without services. */
export interface TestDatabases {
  readonly urls: ReturnType<typeof databaseUrls>
  /** A Redis beside them, and what keys of this test file begin with: others use it too. */
  readonly redisUrl: string
  readonly namespace: string
  /** For the test's files; `stop` removes it. */
  readonly dataDir: string
  stop(): Promise<void>
}

/** Creates the migrated databases of all services for one test file. */
export async function startTestDatabases(env: NodeJS.ProcessEnv): Promise<TestDatabases> {
  const dataDir = createTestFolder(env)
  const { servers, namespace, template, isShared } = await provideTestServers({
    dataDir,
    env,
    wantsOwn: false,
  })
  const stop = async () => {
    if (isShared) await dropDatabases(servers.postgres.url, namespace)
    await servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await createDatabases(servers.postgres.url, namespace, template)
    const urls = databaseUrls(servers.postgres.url, namespace)
    if (template === null) await runMigrations({ repoRoot, databaseUrls: urls, env })
    return { urls, redisUrl: servers.redis.url, namespace, dataDir, stop }
  } catch (err) {
    await stop()
    throw err
  }
}
