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
/** Migrating is a second's work of three processes: once in a run. */
const TEMPLATE = 'template'
/** URLs by server, as JSON, of servers that test files share. */
const SHARED_SERVERS = 'TEST_SHARED_SERVERS'

interface ServerOptions {
  readonly dataDir: string
  readonly env: NodeJS.ProcessEnv
  /** Default: what `TEST_TOPOLOGY` in the environment says, else one server of each. */
  readonly topology?: Topology | undefined
  /** Servers accept TLS alone: private instances, as `TLS_CERTIFICATE_FILE` in the environment says. */
  readonly acceptsTlsAlone?: boolean | undefined
}

/** Servers for a test file. */
export interface TestServers {
  readonly servers: Servers
  /** The file's own, by which its databases, keys and queues are told from those of others. */
  readonly namespace: string
  /** Of servers that are shared: the namespace of databases that are as migrations leave them, to be copied. */
  readonly template: string | null
}

/**
 * PostgreSQL, Redis and RabbitMQ for one test file: those that the run shares, if it does, which the file must leave
 * alone; or, where there are none or the file wants to stop them, servers of its own. These are containers where an
 * engine answers, private instances elsewhere; `TEST_SERVERS=private` or `containers` in the environment decides
 * instead. Clusters are private instances.
 */
export async function provideTestServers({
  dataDir,
  env,
  topology,
  acceptsTlsAlone,
  wantsOwn,
}: ServerOptions & { readonly wantsOwn: boolean }): Promise<TestServers> {
  const shared = env[SHARED_SERVERS]
  if (shared === undefined || wantsOwn)
    return {
      servers: await startServers({ dataDir, env, topology, acceptsTlsAlone }),
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
  // Files that kill servers have their own, so nothing here has to outlive the machine.
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
  acceptsTlsAlone = false,
  isThrowaway = false,
}: ServerOptions & { readonly isThrowaway?: boolean }): Promise<Servers> {
  const wanted = env['TEST_SERVERS']
  const chosen = topology ?? (env['TEST_TOPOLOGY'] === 'clusters' ? 'clusters' : 'single')
  const usesContainers = wanted === undefined ? await hasContainerEngine() : wanted === 'containers'
  if (usesContainers && chosen === 'single' && !acceptsTlsAlone) return startContainers(env)
  return provideServers({
    env,
    topology: chosen,
    acceptsTlsAlone,
    isThrowaway,
    dataDir: join(dataDir, 'servers'),
    logDir: join(dataDir, 'logs'),
    mayUseDocker: false,
  })
}
