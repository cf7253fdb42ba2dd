import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createDatabases,
  databaseUrls,
  provideServers,
  runMigrations,
  type Servers,
  type Topology,
} from '@tms/local-system'
import { hasContainerEngine, startContainers } from './containers.ts'

const repoRoot = fileURLToPath(new URL('../../..', import.meta.url))
/** Migrations take three processes a second, so they run only once in a test run. */
const TEMPLATE = 'template'
/** A JSON object of URLs by server, of the servers that test files share. */
const SHARED_SERVERS = 'TEST_SHARED_SERVERS'

interface ServerOptions {
  readonly dataDir: string
  readonly env: NodeJS.ProcessEnv
  /** Default: `TEST_TOPOLOGY` in the environment, or one server of each. */
  readonly topology?: Topology | undefined
  /** Servers accept TLS only: they are private instances with the certificate in `TLS_CERTIFICATE_FILE`. */
  readonly requiresTls?: boolean | undefined
}

/** Servers for a test file. */
export interface TestServers {
  readonly servers: Servers
  /** The test file's prefix for databases, keys and queues on shared servers. */
  readonly namespace: string
  /** For shared servers: the namespace of migrated databases to copy. */
  readonly template: string | null
}

/**
 * Provides PostgreSQL, Redis and RabbitMQ for one test file: the run's shared servers, which the file must not stop,
 * or its own servers if there are none or it wants to stop them. Its own servers are containers if an engine answers,
 * private instances otherwise; `TEST_SERVERS=private` or `containers` overrides this. Clusters are always private
 * instances.
 */
export async function provideTestServers({
  dataDir,
  env,
  topology,
  requiresTls,
  wantsOwn,
}: ServerOptions & { readonly wantsOwn: boolean }): Promise<TestServers> {
  const shared = env[SHARED_SERVERS]
  if (shared === undefined || wantsOwn)
    return {
      servers: await startServers({ dataDir, env, topology, requiresTls }),
      namespace: '',
      template: null,
    }
  const { postgres, redis, rabbitmq } = JSON.parse(shared) as Record<keyof Servers, string>
  const servers = await provideServers({
    env: { ...env, POSTGRES_URL: postgres, REDIS_URL: redis, RABBITMQ_URL: rabbitmq },
    dataDir: join(dataDir, 'servers'),
    logDir: join(dataDir, 'logs'),
  })
  return { servers, namespace: `test_${randomBytes(4).toString('hex')}`, template: TEMPLATE }
}

/** Starts servers for all test files of a run, which find them by the variables. */
export async function startSharedServers(
  options: ServerOptions,
): Promise<{ readonly variables: Readonly<Record<string, string>>; stop(): Promise<void> }> {
  // Test files that kill servers have their own, so these may lose data in a crash.
  const servers = await startServers({ ...options, isThrowaway: true })
  const { postgres, redis, rabbitmq } = servers
  try {
    await createDatabases(postgres.url, TEMPLATE)
    const urlsOfTemplate = databaseUrls(postgres.url, TEMPLATE)
    await runMigrations({ repoRoot, databaseUrls: urlsOfTemplate, env: options.env })
  } catch (err) {
    await servers.stop()
    throw err
  }
  const urls = { postgres: postgres.url, redis: redis.url, rabbitmq: rabbitmq.url }
  return { variables: { [SHARED_SERVERS]: JSON.stringify(urls) }, stop: () => servers.stop() }
}

async function startServers({
  dataDir,
  env,
  topology,
  requiresTls = false,
  isThrowaway = false,
}: ServerOptions & { readonly isThrowaway?: boolean }): Promise<Servers> {
  const wanted = env['TEST_SERVERS']
  const chosen = topology ?? (env['TEST_TOPOLOGY'] === 'clusters' ? 'clusters' : 'single')
  const usesContainers = wanted === undefined ? await hasContainerEngine() : wanted === 'containers'
  if (usesContainers && chosen === 'single' && !requiresTls) return startContainers(env)
  return provideServers({
    env,
    topology: chosen,
    requiresTls,
    isThrowaway,
    dataDir: join(dataDir, 'servers'),
    logDir: join(dataDir, 'logs'),
    mayUseDocker: false,
  })
}
