import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  createDatabases,
  databaseUrls,
  provideServers,
  runMigrations,
  type ServerName,
  type Servers,
  type Topology,
} from '@tms/local-system'
import { hasContainerEngine, startContainers } from './containers.ts'

const run = promisify(execFile)
const repoRoot = fileURLToPath(new URL('../../..', import.meta.url))
/** Migrations take three processes a second, so they run only once in a test run. */
const TEMPLATE = 'template'
/** A JSON object of URLs by server, of the servers that test files share. */
const SHARED_SERVERS = 'TEST_SHARED_SERVERS'
/** The folder with a stopped PostgreSQL that has the template's databases, for private instances to start from a copy. */
const PREPARED_POSTGRES = 'TEST_PREPARED_POSTGRES'
/** A private instance's database cluster, and its settings, among them the password. */
const POSTGRES_FILES = ['postgres', 'postgres.json']

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
  /** The namespace of migrated databases to copy; null if there are none. */
  readonly template: string | null
  /** Other test files use the databases' server too, so whatever was created there has to be removed. */
  readonly isShared: boolean
}

/** Servers that no other test file shares: all, or these. */
export type OwnServers = boolean | readonly ServerName[]

const ALL: readonly ServerName[] = ['postgres', 'redis', 'rabbitmq']

/**
 * Provides PostgreSQL, Redis and RabbitMQ for one test file: the run's shared servers, which the file must not stop,
 * or its own where there are none or it wants to stop them. Its own servers are containers if an engine answers,
 * private instances otherwise; `TEST_SERVERS=private` or `containers` overrides this. Clusters are always private
 * instances.
 */
export async function provideTestServers({
  wantsOwn,
  ...options
}: ServerOptions & { readonly wantsOwn: OwnServers }): Promise<TestServers> {
  const own = typeof wantsOwn === 'boolean' ? (wantsOwn ? ALL : []) : wantsOwn
  const shared = options.env[SHARED_SERVERS]
  // Containers are started together.
  const isWhole = own.length === ALL.length || (own.length > 0 && (await usesContainers(options)))
  if (shared === undefined || isWhole)
    return { ...(await startServers(options)), namespace: '', isShared: false }
  const urls = JSON.parse(shared) as Record<ServerName, string>
  const { servers, template } = await startServers({
    ...options,
    sharedUrls: Object.fromEntries(
      ALL.filter((name) => !own.includes(name)).map((name) => [`${name.toUpperCase()}_URL`, urls[name]]),
    ),
  })
  const hasOwnDatabases = own.includes('postgres')
  return {
    servers,
    namespace: `test_${randomBytes(4).toString('hex')}`,
    template: hasOwnDatabases ? template : TEMPLATE,
    isShared: !hasOwnDatabases,
  }
}

/** Starts servers for all test files of a run, which find them by the variables. */
export async function startSharedServers(
  options: ServerOptions,
): Promise<{ readonly variables: Readonly<Record<string, string>>; stop(): Promise<void> }> {
  // Test files that kill servers have their own, so these may lose data in a crash.
  const { servers } = await startServers({ ...options, isThrowaway: true })
  const { postgres, redis, rabbitmq } = servers
  try {
    await createDatabases(postgres.url, TEMPLATE)
    const urlsOfTemplate = databaseUrls(postgres.url, TEMPLATE)
    await runMigrations({ repoRoot, databaseUrls: urlsOfTemplate, env: options.env })
    const prepared = await preparePostgres(servers, options.dataDir)
    const urls = { postgres: postgres.url, redis: redis.url, rabbitmq: rabbitmq.url }
    return {
      variables: {
        [SHARED_SERVERS]: JSON.stringify(urls),
        ...(prepared !== null && { [PREPARED_POSTGRES]: prepared }),
      },
      stop: () => servers.stop(),
    }
  } catch (err) {
    await servers.stop()
    throw err
  }
}

/**
 * Copies a private instance with the template's databases, which costs a fraction of creating and migrating databases in
 * each test file that has its own. Null if PostgreSQL isn't a private instance with its data here.
 */
async function preparePostgres({ postgres }: Servers, dataDir: string): Promise<string | null> {
  const from = serverFolder(dataDir)
  if (postgres.pid === null || !POSTGRES_FILES.every((name) => existsSync(join(from, name)))) return null
  const prepared = join(dataDir, 'prepared')
  await postgres.stop()
  await copyPostgres(from, prepared)
  await postgres.start()
  return prepared
}

async function copyPostgres(from: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true })
  // Unlike Node's own copy it keeps the owner: as root, PostgreSQL runs as another user.
  await run('cp', ['-a', ...POSTGRES_FILES.map((name) => join(from, name)), to])
}

interface StartOptions extends ServerOptions {
  readonly isThrowaway?: boolean
  /** Variables with the URLs of servers that run already. */
  readonly sharedUrls?: Readonly<Record<string, string>>
}

async function startServers(options: StartOptions): Promise<Pick<TestServers, 'servers' | 'template'>> {
  const { dataDir, env, requiresTls = false, isThrowaway = false, sharedUrls = {} } = options
  const areShared = Object.keys(sharedUrls).length > 0
  if (!areShared && (await usesContainers(options)))
    return { servers: await startContainers(env), template: null }
  const prepared = sharedUrls['POSTGRES_URL'] === undefined ? env[PREPARED_POSTGRES] : undefined
  if (prepared !== undefined) await copyPostgres(prepared, serverFolder(dataDir))
  const servers = await provideServers({
    env: { ...env, ...sharedUrls },
    topology: topologyOf(options),
    requiresTls,
    isThrowaway,
    dataDir: serverFolder(dataDir),
    logDir: join(dataDir, 'logs'),
    mayUseDocker: false,
  })
  return {
    servers: { ...servers, stop: () => discard(servers) },
    template: prepared === undefined ? null : TEMPLATE,
  }
}

const topologyOf = ({ env, topology }: ServerOptions): Topology =>
  topology ?? (env['TEST_TOPOLOGY'] === 'clusters' ? 'clusters' : 'single')

async function usesContainers(options: ServerOptions): Promise<boolean> {
  if (topologyOf(options) !== 'single' || options.requiresTls === true) return false
  const wanted = options.env['TEST_SERVERS']
  return wanted === undefined ? hasContainerEngine() : wanted === 'containers'
}

/** Stops servers whose data nobody needs any more: PostgreSQL writes no checkpoint, the others are killed. */
async function discard(servers: Servers): Promise<void> {
  const { postgres, redis, rabbitmq } = servers
  if (postgres.pid !== null) process.kill(postgres.pid, 'SIGQUIT')
  const killed = [redis, rabbitmq].filter(({ source }) => source !== 'environment')
  await Promise.all(killed.map((server) => server.kill()))
  await servers.stop()
}

const serverFolder = (dataDir: string): string => join(dataDir, 'servers')
