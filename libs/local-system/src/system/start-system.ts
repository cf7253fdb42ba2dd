import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pickFreePort } from '../process/free-port.ts'
import { servicePidFolder, stopLeftoverServices } from '../process/leftover-services.ts'
import { describeExit } from '../process/managed-process.ts'
import type { ServerName, StepListener } from '../servers/server.ts'
import { createDatabases, databaseUrls, dropDatabases } from './databases.ts'
import { type Keys, loadKeys, privateKeyFile } from './keys.ts'
import { createReplica, type Replica, replicaName } from './replica.ts'
import { runMigrations } from './run-migrations.ts'
import { inheritedEnvironment, LOOPBACK, type SystemInfo, serviceEnvironment } from './service-environment.ts'
import { type DatabaseService, type ServiceName, serviceNames } from './service-names.ts'

export type SystemOptions = {
  /** Only the URLs are used, so servers started elsewhere work too. */
  servers: Record<ServerName, { url: string }>
  /** URLs for the services if they differ, because of a proxy, for example. */
  urlsForServices?: Partial<Record<ServerName, string>>
  repoRoot: string
  /** For keys and pid files. */
  dataDir: string
  /** One file per replica. Default: `logs` beside the data. */
  logDir?: string
  /** The environment that services inherit, normally `process.env`. */
  env: NodeJS.ProcessEnv
  /** Lets several systems share one set of servers: letters, digits and underscores, at most 30. */
  namespace?: string
  /** The namespace of migrated databases: missing databases are copied from it instead of being migrated. */
  template?: string | null
  /** The databases exist and are migrated already. */
  isMigrated?: boolean
  /** Number of processes of each service; default 1. */
  replicas?: Partial<Record<ServiceName, number>>
  /** Port of the first gateway; default: a free one. */
  gatewayPort?: number | undefined
  /** Address that gateways listen on; default: only this machine's programs reach them. */
  gatewayHost?: string
  /** How long a service may take to be ready; default: a minute. */
  readyTimeoutMs?: number
  /** Host and port that clients use; default: those of the first gateway on this machine. */
  externalHost?: string
  /** Services serve only TLS, with the certificate of `TLS_CERTIFICATE_FILE`; not the gateway. */
  servesTls?: boolean
  logLevel?: string
  /** Further variables for every service. */
  extraEnv?: NodeJS.ProcessEnv
  onLine?: (name: string, line: string) => void
  /** Called if a replica ends without having been stopped. It stays down; the others continue. */
  onUnexpectedExit?: (replica: Replica, how: string, lastLines: string[]) => void
  onStep?: StepListener
  /** Aborts a start; what was started is stopped. */
  signal?: AbortSignal | undefined
}

export type System = {
  /** URL of the first gateway, without a trailing slash. */
  baseUrl: string
  /** Host and port whose subdomains are other organizations. */
  externalHost: string
  /** Part of the names of everything that this system has on shared servers. */
  namespace: string
  urls: Record<ServiceName, string[]>
  databaseUrls: Record<DatabaseService, string>
  /** Store of uploaded files. */
  uploadsUrl: string
  /** Where mails go: by default a folder with one file per mail. */
  mailUrl: string
  keys: Keys
  /** File with the key that signs calls between services. */
  internalKeyFile: string
  replicas: Replica[]
  /** Throws if there is no such replica. */
  replica(service: ServiceName, index?: number): Replica
  /** Stops the gateways, then the other services. */
  stop(options?: { dropDatabases?: boolean }): Promise<void>
  /** Ends all replicas with SIGKILL. */
  kill(): Promise<void>
}

/**
 * Starts the five services on these servers: databases, migrations, keys, processes; and waits until each is ready.
 * If one does not become ready, stops the others and throws with the end of its log.
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { servers, urlsForServices: viaProxy = {}, dataDir, signal } = options
  const namespace = checkNamespace(options.namespace ?? '')
  const keyFolder = join(dataDir, 'keys')
  const keys = loadKeys(keyFolder)
  const databases = databaseUrls(servers.postgres.url, namespace)
  await stopLeftoverServices(dataDir, namespace)
  await createDatabases(servers.postgres.url, namespace, options.template)

  const env = { ...inheritedEnvironment(options.env), ...options.extraEnv }
  if (!options.template && !options.isMigrated) {
    const migrated = options.onStep?.('migrating the databases')
    await runMigrations({ repoRoot: options.repoRoot, databaseUrls: databases, env })
    migrated?.('migrated the databases')
  }
  signal?.throwIfAborted()

  const ports = await choosePorts(options)
  const urls = urlsOf(ports, options.servesTls ?? false)
  const info: SystemInfo = {
    namespace,
    logLevel: options.logLevel ?? 'info',
    keys,
    databaseUrls: viaProxy.postgres === undefined ? databases : databaseUrls(viaProxy.postgres, namespace),
    rabbitmqUrl: viaProxy.rabbitmq ?? servers.rabbitmq.url,
    redisUrl: viaProxy.redis ?? servers.redis.url,
    urls,
    // Unlike an address it has subdomains, which browsers and curl resolve on this machine.
    externalHost: options.externalHost ?? `localhost:${new URL(firstOf(urls.gateway)).port}`,
    gatewayHost: options.gatewayHost ?? LOOPBACK,
    uploadsUrl: options.env['UPLOADS_URL'] ?? pathToFileURL(join(dataDir, 'uploads', namespace)).href,
    mailUrl: options.env['MAIL_URL'] ?? pathToFileURL(join(dataDir, 'mails', namespace)).href,
  }
  const replicas = serviceNames.flatMap((service) =>
    ports[service].map((port, index) =>
      createSystemReplica(
        options,
        { service, index, port, namespace },
        {
          ...env,
          ...serviceEnvironment(service, port, info),
          ...(options.servesTls && service !== 'gateway' && { SERVE_TLS: 'true' }),
          ...options.extraEnv,
        },
      ),
    ),
  )
  const done = options.onStep?.('starting the services')
  const starts = replicas.map((replica) => replica.start())
  try {
    await Promise.all(starts)
  } catch (err) {
    // Others wait for what the failed one would have served: the first failure is the reason, and is reported at once.
    await Promise.allSettled(replicas.map((replica) => replica.stop()))
    await Promise.allSettled(starts)
    throw err
  }
  done?.(`started ${replicas.map((replica) => replicaName(replica.service, replica.index)).join(', ')}`)

  return {
    baseUrl: firstOf(urls.gateway),
    externalHost: info.externalHost,
    namespace,
    urls,
    databaseUrls: databases,
    uploadsUrl: info.uploadsUrl,
    mailUrl: info.mailUrl,
    keys,
    internalKeyFile: privateKeyFile(keyFolder, 'internal'),
    replicas,
    replica(service, index = 0) {
      const found = replicas.find((replica) => replica.service === service && replica.index === index)
      if (!found) throw new Error(`there is no replica ${index} of ${service}`)
      return found
    },
    async stop(stopOptions = {}) {
      // Gateways first: the services behind can still answer requests in progress.
      const isGateway = (replica: Replica) => replica.service === 'gateway'
      for (const group of [replicas.filter(isGateway), replicas.filter((replica) => !isGateway(replica))]) {
        await Promise.all(group.map((replica) => stopReplica(replica, options.onStep)))
      }
      if (stopOptions.dropDatabases === true) await dropDatabases(servers.postgres.url, namespace)
    },
    async kill() {
      await Promise.all(replicas.map((replica) => replica.kill()))
    },
  }
}

async function stopReplica(replica: Replica, onStep: StepListener | undefined): Promise<void> {
  if (replica.pid === null) return
  const name = replicaName(replica.service, replica.index)
  const done = onStep?.(`stopping ${name}`)
  await replica.stop()
  done?.(`stopped ${name}`)
}

function createSystemReplica(
  options: SystemOptions,
  which: { service: ServiceName; index: number; port: number; namespace: string },
  env: NodeJS.ProcessEnv,
): Replica {
  const { service, index, port, namespace } = which
  const name = replicaName(service, index)
  const fileName = namespace === '' ? name : `${namespace}.${name}`
  const { onLine, onUnexpectedExit } = options
  const replica: Replica = createReplica({
    service,
    index,
    port,
    repoRoot: options.repoRoot,
    env,
    pidFile: join(servicePidFolder(options.dataDir), `${fileName}.pid`),
    logPath: join(options.logDir ?? join(options.dataDir, '..', 'logs'), `${fileName}.log`),
    onLine: onLine && ((line) => onLine(name, line)),
    onUnexpectedExit: (status) =>
      onUnexpectedExit?.(replica, describeExit(status), replica.logs().slice(-20)),
    readyTimeoutMs: options.readyTimeoutMs,
    signal: options.signal,
  })
  return replica
}

async function choosePorts(options: SystemOptions): Promise<Record<ServiceName, number[]>> {
  const ports: Record<ServiceName, number[]> = {
    users: [],
    realm: [],
    messaging: [],
    events: [],
    gateway: [],
  }
  for (const service of serviceNames) {
    const count = options.replicas?.[service] ?? 1
    if (count < 1) throw new Error(`${service} needs at least one replica`)
    while (ports[service].length < count) ports[service].push(await pickFreePort())
  }
  if (options.gatewayPort !== undefined) ports.gateway[0] = options.gatewayPort
  return ports
}

function urlsOf(ports: Record<ServiceName, number[]>, servesTls: boolean): Record<ServiceName, string[]> {
  const urls = Object.entries(ports).map(([service, list]) => [
    service,
    list.map((port) => `${servesTls && service !== 'gateway' ? 'https' : 'http'}://127.0.0.1:${port}`),
  ])
  return Object.fromEntries(urls) as Record<ServiceName, string[]>
}

function firstOf(list: string[]): string {
  const [first] = list
  if (first === undefined) throw new Error('no gateway')
  return first
}

/** It becomes part of database names unquoted. */
function checkNamespace(namespace: string): string {
  if (/^[a-z0-9_]{0,30}$/.test(namespace)) return namespace
  throw new Error(`namespace ${JSON.stringify(namespace)}: only a-z, 0-9 and _, at most 30`)
}
