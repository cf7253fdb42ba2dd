import { describe, expect, test } from 'vitest'
import { rabbitmqUrl, redisUrl } from './server-urls.ts'
import { isRedisCluster, splitUrls } from './split-urls.ts'

const redis = redisUrl('Redis')

describe('URLs of servers', () => {
  test('of several nodes are separated by commas, which passwords may contain', () => {
    expect(splitUrls('amqp://u:a,b@one:5672/v, amqp://u:a,b@two:5672/v')).toEqual([
      'amqp://u:a,b@one:5672/v',
      'amqp://u:a,b@two:5672/v',
    ])
    expect(rabbitmqUrl.safeParse('amqp://u:p@one,amqps://u:p@two').success).toBe(true)
  })

  test.each(['', 'one:5672', 'http://one', 'amqp://u:p@one,two:5672', 'amqp://u:p@one,'])(
    'are rejected if one is no URL of the server: %j',
    (value) => {
      expect(rabbitmqUrl.safeParse(value).success).toBe(false)
    },
  )

  test('are those of a Redis Cluster if there are several, or one says so', () => {
    expect(isRedisCluster('redis://one:6379/2')).toBe(false)
    expect(isRedisCluster('redis://one,redis://two')).toBe(true)
    expect(isRedisCluster('rediss://:p@one?cluster=true')).toBe(true)
  })

  test('may name a database of one Redis, but not of a cluster', () => {
    expect(redis.safeParse('redis://one/2').success).toBe(true)
    expect(redis.safeParse('redis://one/0,redis://two').success).toBe(true)
    expect(redis.safeParse('redis://one/2,redis://two').error?.issues[0]?.message).toMatch(/database/)
    expect(redis.safeParse('redis://one/2?cluster=true').success).toBe(false)
  })
})
