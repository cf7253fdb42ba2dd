import { Cluster, Redis as SingleRedis } from 'ioredis'
import type { Logger } from '../telemetry/log.ts'
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

/** Pause before subscribing again at a master that has just started and doesn't know its slots yet. */
const RESUBSCRIBE_MS = 200

/** A subscription to channels. */
export interface Subscription {
  close(): Promise<void>
}

interface SubscriptionOptions {
  readonly channels: readonly string[]
  readonly onMessage: (channel: string, message: string) => void
  /**
   * Called when messages on these channels are no longer received, or soon won't be: those published from now on are
   * lost.
   */
  readonly onLost: (channels: readonly string[]) => void
  /**
   * Called once messages on these channels are received again. The first may arrive a moment before that, and may
   * follow lost ones.
   */
  readonly onSubscribed: (channels: readonly string[]) => void
  readonly log: Logger
  /** TLS settings for `rediss:` URLs. */
  readonly tls?: ClientTls
}

/**
 * Subscribes to channels over connections of its own, which reconnect by themselves. In a cluster each channel
 * belongs to a master (sharded publish and subscribe, Redis 7): a subscriber connected to that master misses nothing,
 * which isn't guaranteed for messages that masters forward to each other. `redis` knows the masters; `urls` are those
 * that it was connected with.
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

/** The command by which scripts publish for `subscribe`. */
export function publishCommandOf(redis: Redis): 'PUBLISH' | 'SPUBLISH' {
  return redis instanceof Cluster ? 'SPUBLISH' : 'PUBLISH'
}

/** Publishes a message. Rejects while Redis is unavailable. */
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

  /** Opens and closes connections according to the current masters. */
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
  // Channels of different slots can't be in one command.
  const groups = command === 'subscribe' ? [[...channels]] : channels.map((channel) => [channel])
  let timer: NodeJS.Timeout | undefined
  /** Answers may still come then, when another connection has these channels and may not receive them yet. */
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
