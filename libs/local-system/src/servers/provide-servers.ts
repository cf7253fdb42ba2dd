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

type Provider = { source: ServerSource; start: () => Promise<ServerHandle> }

const names = ['postgres', 'redis', 'rabbitmq'] as const

const kinds = {
  postgres: { find: findPostgres, start: { single: startPostgres, clusters: startPostgres } },
  redis: { find: findRedis, start: { single: startRedis, clusters: startRedisCluster } },
  rabbitmq: { find: findRabbitmq, start: { single: startRabbitmq, clusters: startRabbitmqCluster } },
}

/** Whether the programs for clusters are installed. */
export function canStartClusters(env: NodeJS.ProcessEnv): boolean {
  return names.every((name) => kinds[name].find(env) !== null)
}

/**
 * Starts PostgreSQL, Redis and RabbitMQ in parallel, each in the first possible way: a URL in the environment, an
 * installed program, Docker, Debian packages. If one is unavailable, stops the others and throws an error whose
 * message says in one line what is missing and how to get it. Throws LockHeldError if another process uses the data
 * folder.
 */
export async function provideServers(options: ProvideOptions): Promise<Servers> {
  const unlock = takeLock(join(options.dataDir, 'servers.lock'))
  try {
    // With the lock, a service that still runs on these data must be a leftover of a crashed start. It is stopped
    // before the servers that it uses.
    const leftovers = await stopLeftoverServices(options.dataDir)
    if (leftovers > 0) options.onStep?.('stopping leftovers')(`stopped ${leftovers} leftover services`)
    await options.beforeServers?.()
    const providers = await chooseProviders(options)
    options.signal?.throwIfAborted()
    const started = await Promise.allSettled(names.map((name) => startServer(name, providers[name], options)))
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
          await server.stop() // its sidecar (RabbitMQ's epmd) has no data and may end gracefully
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

async function chooseProviders(options: ProvideOptions): Promise<Record<ServerName, Provider>> {
  const providers: Partial<Record<ServerName, Provider>> = {}
  for (const name of names) {
    const provider = fromEnvironment(name, options) ?? fromBinary(name, options, 'private')
    if (provider) providers[name] = provider
  }
  const mayUseDocker = options.mayUseDocker !== false && options.topology !== 'clusters'
  let dockerProblem: string | null = null
  if (names.some((name) => !providers[name]) && mayUseDocker) {
    dockerProblem = await findDockerProblem(options.env)
    if (dockerProblem === null) {
      for (const name of names)
        providers[name] ??= { source: 'docker', start: () => startContainer(name, options) }
    }
  }
  const missing = names.filter((name) => !providers[name])
  if (missing.length > 0 && options.mayInstall !== false && canInstallPackages(options.env)) {
    const done = options.onStep?.(`installing ${listTitles(missing)} from Debian packages`)
    await installServers(missing, options.env)
    done?.(`installed ${listTitles(missing)} from Debian packages`)
    for (const name of missing) {
      const provider = fromBinary(name, options, 'packages')
      if (provider) providers[name] = provider
    }
  }
  const lacking = names.filter((name) => !providers[name])
  if (lacking.length > 0) throw new Error(explainLacking(lacking, dockerProblem))
  return providers as Record<ServerName, Provider>
}

function fromEnvironment(name: ServerName, { env }: ProvideOptions): Provider | null {
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

function fromBinary(name: ServerName, options: ProvideOptions, source: ServerSource): Provider | null {
  const binary = kinds[name].find(options.env)
  return binary === null
    ? null
    : { source, start: () => kinds[name].start[options.topology ?? 'single'](binary, options) }
}

async function startServer(name: ServerName, provider: Provider, options: ProvideOptions): Promise<Server> {
  const done = options.onStep?.(`starting ${serverTitles[name]}`)
  const handle = await provider.start()
  const ports = splitUrls(handle.url)
    .flatMap(splitHosts)
    .map((url) => new URL(url).port)
  done?.(`${serverTitles[name]} (${describeSource(name, provider.source)}) on port ${ports.join(', ')}`)
  // Not spread: `pid` is a getter and changes with every start.
  return Object.defineProperties(handle, {
    name: { value: name, enumerable: true },
    source: { value: provider.source, enumerable: true },
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
