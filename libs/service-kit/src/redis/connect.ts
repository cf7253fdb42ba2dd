import type { ConnectionOptions } from 'node:tls'
import { Cluster, Command, Redis as SingleRedis } from 'ioredis'
import { isRedisCluster, splitUrls } from '../addresses/split-urls.ts'
import { within } from '../concurrency/within.ts'
import type { Logger } from '../telemetry/log.ts'
import { servernameOf } from '../tls/servername.ts'
import type { ClientTls } from '../tls/settings.ts'

/** Too small fails polls over a hiccup, too large keeps callers of a dead Redis waiting. */
const COMMAND_TIMEOUT_MS = 5_000
/**
 * When a connection is dropped and made again, for every server or node. A host that loses its network or power
 * closes nothing, and TCP itself takes a quarter of an hour to notice. Too large is worse: until then every command
 * fails, and every wake-up is missed. Too small reconnects all replicas at once when Redis pauses, which loads it
 * further.
 */
export const redisDeadlines = {
  connectTimeout: 5_000,
  /** Time without a byte while commands wait. Longer than `COMMAND_TIMEOUT_MS`: a pause fails commands first. */
  socketTimeout: 10_000,
} as const
const RECONNECT_MAX_MS = 500
/** How long a connection may take to close before it is destroyed. */
const DISCONNECT_TIMEOUT_MS = 2_000
/** How often the cluster is queried for masters that have moved. */
const SLOTS_REFRESH_MS = 2_000
/** Pause before a command is sent again to a master that has just been lost, or hasn't taken its slots yet. */
const FAILOVER_RETRY_MS = 100
/** With the pause: a command waits about half a second for its master, then fails. */
const MAX_REDIRECTIONS = 5

/** A connection to one server or to all masters of a cluster; the commands are the same. */
export type Redis = SingleRedis | Cluster

/** How long to wait before the next attempt to connect. */
export const reconnectAfterMs = (attempt: number): number => Math.min(RECONNECT_MAX_MS, attempt * 50)

export interface RedisConnectOptions {
  /** Timeout of a command; default: 5 seconds. */
  readonly commandTimeoutMs?: number
  /**
   * How long a connection may be silent before it is dropped: at most one and a half times as long after its host was
   * lost. Default: 10 seconds.
   */
  readonly silenceMs?: number
  /** In a cluster a command fails at once, rather than wait half a second for its master. */
  readonly failsAtOnce?: boolean
  /** Sends commands issued in the same tick together. */
  readonly batches?: boolean
  /** TLS settings for `rediss:` URLs. */
  readonly tls?: ClientTls
}

/** Too small starts without a Redis that is busy; too large delays a start without Redis. */
const FIRST_CONNECT_MS = 1_000

/**
 * A connection that reconnects by itself; commands fail rather than wait while it is down. In a cluster a command
 * fails while the master of its keys is down, and the others work.
 */
export function connectRedis(
  urls: string,
  log: Pick<Logger, 'warn' | 'info'>,
  options: RedisConnectOptions = {},
): Redis {
  const {
    commandTimeoutMs = COMMAND_TIMEOUT_MS,
    silenceMs = redisDeadlines.socketTimeout,
    tls = {},
  } = options
  const { failsAtOnce = false, batches = false } = options
  const common = { enableOfflineQueue: false, enableAutoPipelining: batches }
  const node = {
    commandTimeout: commandTimeoutMs,
    disconnectTimeout: Math.min(commandTimeoutMs, DISCONNECT_TIMEOUT_MS),
    maxRetriesPerRequest: 0,
    ...redisDeadlines,
    socketTimeout: silenceMs,
  }
  const retryMs = failsAtOnce ? 0 : FAILOVER_RETRY_MS
  const redis = isRedisCluster(urls)
    ? new Cluster(clusterNodes(urls), {
        ...common,
        redisOptions: { ...clusterCredentials(urls, tls), ...node },
        clusterRetryStrategy: reconnectAfterMs,
        slotsRefreshInterval: SLOTS_REFRESH_MS,
        retryDelayOnFailover: retryMs,
        retryDelayOnClusterDown: retryMs,
        maxRedirections: MAX_REDIRECTIONS,
        // Keeps host names, which certificates are issued for.
        dnsLookup: (address, done) => done(null, address),
      })
    : new SingleRedis(urls, {
        ...common,
        ...node,
        ...tlsOfNode(urls, tls),
        retryStrategy: reconnectAfterMs,
      })
  listenToRedis(redis, log)
  pingRedis(redis, silenceMs / 2)
  return redis
}

/**
 * Sends pings for as long as the connection is used: an idle one would never notice that its host is lost, and fail
 * the first commands after that.
 */
export function pingRedis(redis: Redis, everyMs: number): void {
  const timer = setInterval(() => {
    for (const master of mastersOf(redis)) if (master.status === 'ready') master.ping().catch(() => {})
  }, everyMs)
  timer.unref()
  redis.once('end', () => clearInterval(timer))
}

/** Quits if the server is connected; merely disconnecting would keep the process for seconds. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') return redis.disconnect()
  // One master of several may be down, or a host lost.
  await within(DISCONNECT_TIMEOUT_MS, 'Redis does not answer', redis.quit()).catch(() => redis.disconnect())
}

/** Calls `listener` whenever a server, or a master, is connected again. */
export function onRedisConnected(redis: Redis, listener: () => void): void {
  if (redis instanceof Cluster) redis.on('+node', (node: SingleRedis) => node.on('ready', listener))
  else redis.on('ready', listener)
}

/**
 * Resolves once commands are accepted: in a cluster once all of it is known, which is later than the connection to
 * its first master. Rejects after `timeoutMs`.
 */
export function untilRedisReady(redis: Redis, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (redis.status === 'ready') return resolve()
    const ready = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      redis.off('ready', ready)
      reject(new Error('Redis does not answer'))
    }, timeoutMs)
    redis.once('ready', ready)
  })
}

/**
 * Waits a moment for Redis, which usually takes milliseconds, so that the first commands don't fail; resolves without
 * it if it is unavailable.
 */
export const waitForRedis = (redis: Redis): Promise<void> =>
  untilRedisReady(redis, FIRST_CONNECT_MS).catch(() => {})

/** The servers that have keys: the masters of a cluster, or the only one. */
export function mastersOf(redis: Redis): readonly SingleRedis[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis]
}

/** The address of the master of a key or channel, if known; null if there is only one server. */
export function masterOf(redis: Redis, key: string): string | null {
  if (!(redis instanceof Cluster)) return null
  return redis.slots[new Command('get', [key]).getSlot()]?.[0] ?? null
}

function clusterNodes(urls: string): { host: string; port: number }[] {
  return splitUrls(urls).map((url) => {
    const { hostname, port } = new URL(url)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 6379 : Number(port) }
  })
}

/** The TLS options for one server. */
export function tlsOfNode(url: string, tls: ClientTls): { tls?: ConnectionOptions } {
  const { protocol, hostname } = new URL(url)
  return protocol === 'rediss:' ? { tls: { ...tls, ...servernameOf(hostname) } } : {}
}

/** Options for all nodes: those that the URLs don't name are discovered through the others. */
export function clusterCredentials(
  urls: string,
  tls: ClientTls,
): {
  username?: string
  password?: string
  tls?: ClientTls
} {
  const { protocol, username, password } = new URL(splitUrls(urls)[0] ?? '')
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls }),
  }
}

/** Logs once when Redis can't be reached, and once when it can again. */
export function listenToRedis(redis: Redis, log: Pick<Logger, 'warn' | 'info'>): void {
  let isFailing = false
  const failed = (err: Error) => {
    if (!isFailing) log.warn({ err }, 'redis cannot be reached, will be retried')
    isFailing = true
  }
  redis.on('error', failed)
  if (redis instanceof Cluster) redis.on('node error', failed)
  onRedisConnected(redis, () => {
    if (isFailing) log.info('redis connected again')
    isFailing = false
  })
}
