import { join } from 'node:path'
import { stopLeftoverServices } from '../process/leftover-services.ts'
import { takeLock } from '../process/lock.ts'
import { canInstallPackages, installServers } from './debian-packages.ts'
import { findDockerProblem, startContainer } from './docker.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { splitHosts } from './postgres-hosts.ts'
import { probes } from './probes.ts'
import { findRabbitmq, startRabbitmq } from './rabbitmq.ts'
import { startRabbitmqCluster } from './rabbitmq-cluster.ts'
import { findRedis, startRedis } from './redis.ts'
import { startRedisCluster } from './redis-cluster.ts'
import {
  type ProvideOptions,
  type Server,
  type ServerHandle,
  type ServerName,
  type ServerSource,
  type Servers,
  serverTitles,
  urlVariables,
} from './server.ts'
import { splitUrls } from './split-urls.ts'
import { tlsOf } from './tls-files.ts'

type Way = { source: ServerSource; start: () => Promise<ServerHandle> }

const names = ['postgres', 'redis', 'rabbitmq'] as const

const kinds = {
  postgres: { find: findPostgres, start: { single: startPostgres, clusters: startPostgres } },
  redis: { find: findRedis, start: { single: startRedis, clusters: startRedisCluster } },
  rabbitmq: { find: findRabbitmq, start: { single: startRabbitmq, clusters: startRabbitmqCluster } },
}

/** Whether the programs are installed from which clusters are started. */
export function canStartClusters(env: NodeJS.ProcessEnv): boolean {
  return names.every((name) => kinds[name].find(env) !== null)
}

/**
 * Brings up PostgreSQL, Redis and RabbitMQ in parallel, each by the first way that applies: a URL in the
 * environment, an installed program, Docker, Debian packages. When one can't be had, stops the others and
 * throws an error whose message says in one line what is missing and how to get it. Throws LockHeldError when
 * another process uses the data folder.
 */
export async function provideServers(options: ProvideOptions): Promise<Servers> {
  const unlock = takeLock(join(options.dataDir, 'servers.lock'))
  try {
    // Whoever has the lock knows: a service that still runs on these data was left behind by a crashed start. Before
    // the servers, which it would lose under its feet.
    const leftovers = await stopLeftoverServices(options.dataDir)
    if (leftovers > 0) options.onStep?.('stopping leftovers')(`stopped ${leftovers} leftover services`)
    await options.beforeServers?.()
    const ways = await chooseWays(options)
    options.signal?.throwIfAborted()
    const started = await Promise.allSettled(names.map((name) => startServer(name, ways[name], options)))
    const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const failure = started.find((result) => result.status === 'rejected')
    if (failure) {
      await Promise.allSettled(servers.map((server) => server.stop()))
      throw failure.reason
    }
    const [postgres, redis, rabbitmq] = servers as [Server, Server, Server]
    return {
      postgres,
      redis,
      rabbitmq,
      async stop() {
        for (const server of [rabbitmq, redis, postgres]) await stopServer(server, options)
        unlock()
      },
      async kill() {
        const kill = async (server: Server) => {
          await server.kill()
          await server.stop() // what runs beside it (RabbitMQ's epmd) holds no data and may end politely
        }
        await Promise.allSettled(servers.filter(isOurs).map(kill))
        unlock()
      },
    }
  } catch (err) {
    unlock()
    throw err
  }
}

async function chooseWays(options: ProvideOptions): Promise<Record<ServerName, Way>> {
  const ways: Partial<Record<ServerName, Way>> = {}
  for (const name of names) {
    const way = fromEnvironment(name, options) ?? fromBinary(name, options, 'private')
    if (way) ways[name] = way
  }
  const mayUseDocker = options.mayUseDocker !== false && options.topology !== 'clusters'
  let dockerProblem: string | null = null
  if (names.some((name) => !ways[name]) && mayUseDocker) {
    dockerProblem = await findDockerProblem(options.env)
    if (dockerProblem === null) {
      for (const name of names)
        ways[name] ??= { source: 'docker', start: () => startContainer(name, options) }
    }
  }
  const missing = names.filter((name) => !ways[name])
  if (missing.length > 0 && options.mayInstall !== false && canInstallPackages(options.env)) {
    const done = options.onStep?.(`installing ${listTitles(missing)} from Debian packages`)
    await installServers(missing, options.env)
    done?.(`installed ${listTitles(missing)} from Debian packages`)
    for (const name of missing) {
      const way = fromBinary(name, options, 'packages')
      if (way) ways[name] = way
    }
  }
  const lacking = names.filter((name) => !ways[name])
  if (lacking.length > 0) throw new Error(explainLacking(lacking, dockerProblem))
  return ways as Record<ServerName, Way>
}

function fromEnvironment(name: ServerName, { env }: ProvideOptions): Way | null {
  const variable = urlVariables[name]
  const url = env[variable]
  if (!url) return null
  const refuse = async () => {
    throw new Error(`${serverTitles[name]} was given by ${variable}: it isn't ours to start or kill`)
  }
  const start = async (): Promise<ServerHandle> => {
    const nodes = splitUrls(url)
    if (!nodes.flatMap(splitHosts).every((node) => URL.canParse(node)))
      throw new Error(`${variable} is not a URL`)
    const reasons = await Promise.all(nodes.map((node) => probes[name](node, tlsOf(env))))
    if (!reasons.includes(null)) {
      throw new Error(`${serverTitles[name]} of ${variable} does not answer: ${reasons.join('; ')}`)
    }
    return { url, pid: null, start: refuse, kill: refuse, stop: async () => undefined }
  }
  return { source: 'environment', start }
}

function fromBinary(name: ServerName, options: ProvideOptions, source: ServerSource): Way | null {
  const binary = kinds[name].find(options.env)
  return binary === null
    ? null
    : { source, start: () => kinds[name].start[options.topology ?? 'single'](binary, options) }
}

async function startServer(name: ServerName, way: Way, options: ProvideOptions): Promise<Server> {
  const done = options.onStep?.(`starting ${serverTitles[name]}`)
  const handle = await way.start()
  const ports = splitUrls(handle.url)
    .flatMap(splitHosts)
    .map((url) => new URL(url).port)
  done?.(`${serverTitles[name]} (${describeSource(name, way.source)}) on port ${ports.join(', ')}`)
  // Not spread: `pid` is a getter and changes with every start.
  return Object.defineProperties(handle, {
    name: { value: name, enumerable: true },
    source: { value: way.source, enumerable: true },
    nodes: { value: handle.nodes ?? [], enumerable: true },
  }) as Server
}

async function stopServer(server: Server, options: ProvideOptions): Promise<void> {
  if (!isOurs(server)) return
  const done = options.onStep?.(`stopping ${serverTitles[server.name]}`)
  await server.stop()
  done?.(`stopped ${serverTitles[server.name]}`)
}

const isOurs = (server: Server) => server.source !== 'environment'

function describeSource(name: ServerName, source: ServerSource): string {
  if (source === 'environment') return urlVariables[name]
  return source === 'docker' ? 'container' : 'private instance'
}

function listTitles(list: readonly ServerName[]): string {
  return list.map((name) => serverTitles[name]).join(', ')
}

function explainLacking(lacking: readonly ServerName[], dockerProblem: string | null): string {
  const variables = lacking.map((name) => urlVariables[name]).join(', ')
  const docker = dockerProblem === null ? 'start Docker' : `start Docker (${dockerProblem})`
  return `${listTitles(lacking)} missing: install it, or ${docker}, or run as root on Debian, or set ${variables}`
}
