import { Redis } from 'ioredis'
import type { Logger } from './log.ts'

/** Too small fails polls over a hiccup, too large keeps callers of a dead Redis waiting. */
const COMMAND_TIMEOUT_MS = 5_000
const RECONNECT_MAX_MS = 500

export type { Redis }

/** A connection that comes back by itself; commands fail rather than wait while it is away. */
export function connectRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(RECONNECT_MAX_MS, attempt * 50),
  })
  listen(redis, log)
  return redis
}

/** A connection for subscriptions, which are made again whenever it comes back. */
export function connectSubscriber(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    autoResubscribe: true,
    retryStrategy: (attempt) => Math.min(RECONNECT_MAX_MS, attempt * 50),
  })
  listen(redis, log)
  return redis
}

/** Says goodbye where somebody listens; cutting the connection off would hold the process for seconds. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit()
  else redis.disconnect()
}

function listen(redis: Redis, log: Logger): void {
  let isFailing = false
  redis.on('error', (err: Error) => {
    if (!isFailing) log.warn({ err }, 'redis cannot be reached, will be retried')
    isFailing = true
  })
  redis.on('ready', () => {
    if (isFailing) log.info('redis connected again')
    isFailing = false
  })
}
