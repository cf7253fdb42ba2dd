import {
  type ProvideOptions,
  provideServers,
  type ServerName,
  type Servers,
  untilServerAnswers,
} from '@tms/local-system'

type Urls = Record<ServerName, { url: string }>

export type Launched = {
  /** Where servers are, of which PostgreSQL and Redis answer. */
  urls: Urls
  /** All of them, once all answer. */
  servers: Promise<Servers>
}

/**
 * Starts the servers without waiting for RabbitMQ, the slowest, which services can begin without. Throws as `provideServers`
 * does.
 */
export async function launchServers(options: ProvideOptions): Promise<Launched> {
  const urls: Partial<Urls> = {}
  let tellAll: (all: Urls) => void = () => {}
  const launched = new Promise<Urls>((resolve) => {
    tellAll = resolve
  })
  const servers = provideServers({
    ...options,
    onLaunch: (name, url) => {
      urls[name] = { url }
      if (isWhole(urls)) tellAll(urls)
    },
  })
  const all = await Promise.race([launched, servers])
  const { signal } = options
  const answering = (['postgres', 'redis'] as const).map((name) =>
    untilServerAnswers(name, all[name].url, { signal }),
  )
  await Promise.race([Promise.all(answering), servers])
  return { urls: all, servers }
}

function isWhole(urls: Partial<Urls>): urls is Urls {
  return urls.postgres !== undefined && urls.redis !== undefined && urls.rabbitmq !== undefined
}
