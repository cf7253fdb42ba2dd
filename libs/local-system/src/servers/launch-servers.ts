import { provideServers } from './provide-servers.ts'
import type { ProvideOptions, ServerName, Servers } from './server.ts'
import { untilServerAnswers } from './until-server-answers.ts'

type Urls = Record<ServerName, { url: string }>

export type LaunchedServers = {
  /** PostgreSQL and Redis answer; RabbitMQ may still be starting. */
  urls: Urls
  /** Resolves once all of them answer. */
  servers: Promise<Servers>
}

/**
 * Starts the servers without waiting for RabbitMQ, the slowest, because services start without it. Throws as
 * `provideServers` does; later failures reject `servers`.
 */
export async function launchServers(options: ProvideOptions): Promise<LaunchedServers> {
  const urls: Partial<Urls> = {}
  let announce: (all: Urls) => void = () => {}
  const launched = new Promise<Urls>((resolve) => {
    announce = resolve
  })
  const servers = provideServers({
    ...options,
    onLaunch: (name, url) => {
      urls[name] = { url }
      if (isComplete(urls)) announce(urls)
    },
  })
  const all = await Promise.race([launched, servers.then(() => null)])
  // Servers from elsewhere, such as the environment, were probed already: by their TLS settings, and each node of a cluster.
  if (!all) return { urls: await servers, servers }
  const { signal } = options
  const answering = (['postgres', 'redis'] as const).map((name) =>
    untilServerAnswers(name, all[name].url, { signal }),
  )
  await Promise.race([Promise.all(answering), servers])
  return { urls: all, servers }
}

function isComplete(urls: Partial<Urls>): urls is Urls {
  return urls.postgres !== undefined && urls.redis !== undefined && urls.rabbitmq !== undefined
}
