import { Cluster, Redis as SingleRedis } from 'ioredis'
import type { Logger } from '../log.ts'
import type { ClientTls } from '../tls/settings.ts'
import {
  closeRedis,
  clusterCredentials,
  listenToRedis,
  masterOf,
  pingRedis,
  type Redis,
  reconnectAfterMs,
  redisDeadlines,
  tlsOfNode,
} from './connect.ts'

/** Pause before a master is asked again that has just started, and doesn't know yet what is its own. */
const RESUBSCRIBE_MS = 200

/** What is heard on channels. */
export interface Subscription {
  close(): Promise<void>
}

interface SubscriptionOptions {
  readonly channels: readonly string[]
  readonly onMessage: (channel: string, message: string) => void
  /** Called when these channels are not heard, or soon will not be: what is said on them now is gone, from whenever on. */
  readonly onLost: (channels: readonly string[]) => void
  /**
   * Called once these channels are heard again. What is said on them may be heard a moment before that, and may follow what
   * was not.
   */
  readonly onSubscribed: (channels: readonly string[]) => void
  readonly log: Logger
  /** How servers with `rediss:` are known. */
  readonly tls?: ClientTls
}

/**
 * Listens to channels over connections of its own, which come back by themselves. In a cluster each channel is its
 * master's (sharded publish and subscribe, Redis 7): so whoever is connected with that master misses nothing, which can't
 * be said of what masters pass on to each other. `redis` says where the masters are; `urls` are those that it was
 * connected with.
 */
export function subscribe(redis: Redis, urls: string, options: SubscriptionOptions): Subscription {
  return redis instanceof Cluster
    ? subscribeInCluster(redis, urls, options)
    : subscribeAt(
        new SingleRedis(urls, { ...connection, ...tlsOfNode(urls, options.tls ?? {}) }),
        'subscribe',
        options,
      )
}

/** How scripts publish so that `subscribe` hears it. */
export function publishCommandOf(redis: Redis): 'PUBLISH' | 'SPUBLISH' {
  return redis instanceof Cluster ? 'SPUBLISH' : 'PUBLISH'
}

/** Says something on a channel. Rejects while Redis is away. */
export function publish(redis: Redis, channel: string, message: string): Promise<unknown> {
  return redis instanceof Cluster ? redis.spublish(channel, message) : redis.publish(channel, message)
}

const connection = {
  ...redisDeadlines,
  maxRetriesPerRequest: null,
  autoResubscribe: false,
  retryStrategy: reconnectAfterMs,
} as const

interface Shard extends Subscription {
  readonly channels: readonly string[]
}

function subscribeInCluster(cluster: Cluster, urls: string, options: SubscriptionOptions): Subscription {
  const shards = new Map<string, Shard>()

  /** Makes the connections those that the present masters ask for. */
  const settle = () => {
    const wanted = new Map<string, string[]>()
    for (const channel of options.channels) {
      const address = masterOf(cluster, channel)
      if (address === null) continue
      const channels = wanted.get(address) ?? []
      channels.push(channel)
      wanted.set(address, channels)
    }
    for (const [address, shard] of shards) {
      if (wanted.get(address)?.join() === shard.channels.join()) continue
      shards.delete(address)
      void shard.close()
    }
    for (const [address, channels] of wanted) {
      if (shards.has(address)) continue
      const redis = new SingleRedis({
        ...nodeAt(address),
        ...clusterCredentials(urls, options.tls ?? {}),
        ...connection,
      })
      shards.set(address, { channels, ...subscribeAt(redis, 'ssubscribe', { ...options, channels }) })
    }
  }
  cluster.on('refresh', settle)
  settle()

  return {
    close: async () => {
      cluster.off('refresh', settle)
      await Promise.all([...shards.values()].map((shard) => shard.close()))
    },
  }
}

function subscribeAt(
  redis: SingleRedis,
  command: 'subscribe' | 'ssubscribe',
  { channels, onMessage, onLost, onSubscribed, log }: SubscriptionOptions,
): Subscription {
  // Channels of different slots can't be named in one command.
  const groups = command === 'subscribe' ? [[...channels]] : channels.map((channel) => [channel])
  let timer: NodeJS.Timeout | undefined
  /** Answers may still come then, when another connection has these channels, which may not hear them yet. */
  let isClosed = false
  const lost = () => onLost(channels)
  const subscribeAll = () => {
    Promise.all(groups.map((group) => redis[command](...group))).then(
      () => {
        if (!isClosed) onSubscribed(channels)
      },
      () => {
        clearTimeout(timer)
        if (!isClosed && redis.status === 'ready') timer = setTimeout(subscribeAll, RESUBSCRIBE_MS)
      },
    )
  }
  listenToRedis(redis, log)
  pingRedis(redis, redisDeadlines.socketTimeout / 2)
  lost()
  redis.on('close', lost)
  redis.on('ready', subscribeAll)
  redis.on(command === 'subscribe' ? 'message' : 'smessage', onMessage)
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
      redis.off('ready', subscribeAll)
      redis.off('close', lost)
      return closeRedis(redis)
    },
  }
}

function nodeAt(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':')
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) }
}
