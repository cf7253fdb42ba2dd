import { z } from 'zod'
import { findProblemOfDatabaseUrl } from './database-url.ts'
import { isRedisCluster, splitUrls } from './split-urls.ts'

/** One URL or several, separated by commas; the text stays as it is. `refuse` returns what is wrong with it. */
const serverUrls = (protocol: RegExp, refuse: (urls: string) => string | null = () => null): z.ZodString =>
  z.string().superRefine((urls, context) => {
    // A second URL without its scheme would be taken for a part of the first one's host.
    const isUrl = (url: string) =>
      z.url({ protocol }).safeParse(url).success && !new URL(url).host.includes(',')
    const areUrls = splitUrls(urls).every(isUrl)
    const message = areUrls ? refuse(urls) : 'is not a URL, nor several separated by commas'
    if (message !== null) context.addIssue({ code: 'custom', message })
  })

/** RabbitMQ's URL, for every service and tool. */
export const rabbitmqUrl = serverUrls(/^amqps?$/).describe(
  'RabbitMQ, as amqp://user:password@host:port/vhost, or amqps:// over TLS; of a cluster the URLs of its nodes, separated by commas.',
)

/** Redis' URL; `purpose` says what it is for. */
export const redisUrl = (purpose: string): z.ZodString =>
  serverUrls(/^rediss?$/, refuseDatabaseOfCluster).describe(
    `${purpose}, as redis://user:password@host:port, or rediss:// over TLS. A Redis Cluster: URLs of some of its nodes, separated by commas, or one with ?cluster=true; all nodes have the same password.`,
  )

/**
 * PostgreSQL's URL; `purpose` says whose database. The URL decides about TLS, which then always checks the
 * certificate.
 */
export const postgresUrl = (purpose: string): z.ZodString =>
  z
    .string()
    .superRefine((url, context) => {
      const message = findProblemOfDatabaseUrl(url)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
    .describe(
      `${purpose}, as postgres://user:password@host:port/database; with ?sslmode=verify-full over TLS. Several servers, of which one takes writes: postgres://user:password@a:5432,b:5432/database?target_session_attrs=read-write.`,
    )

function refuseDatabaseOfCluster(urls: string): string | null {
  const hasNone = (url: string) => ['', '/', '/0'].includes(new URL(url).pathname)
  if (!isRedisCluster(urls) || splitUrls(urls).every(hasNone)) return null
  return 'names a database, and a cluster has no other than 0'
}
