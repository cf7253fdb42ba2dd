import type { Servers } from '@tms/local-system'
import { connect } from 'amqplib'
import { Redis } from 'ioredis'
import pg from 'pg'
import { findServerVersion } from './population.queries.ts'

/** The text beside a figure, such as "Redis 7.0.15". */
export async function findServerVersions(servers: Servers): Promise<string[]> {
  const client = new pg.Client({ connectionString: servers.postgres.url })
  await client.connect()
  const postgres = await findServerVersion(client)
  await client.end()

  const redis = new Redis(servers.redis.url)
  const redisVersion = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? '?'
  redis.disconnect()

  const broker = await connect(servers.rabbitmq.url)
  const { version } = broker.connection.serverProperties
  await broker.close()
  return [`PostgreSQL ${postgres}`, `Redis ${redisVersion}`, `RabbitMQ ${version}`]
}
