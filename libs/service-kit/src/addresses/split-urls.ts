// Without the validation of `server-urls.ts`, which a thread that only connects doesn't need.

/** A comma may also be part of a password; one that ends a URL is followed by another URL. */
const BETWEEN_URLS = /,\s*(?=[a-z]+:\/\/)/

/** The URLs of the nodes in a variable. */
export function splitUrls(urls: string): string[] {
  return urls.split(BETWEEN_URLS).map((url) => url.trim())
}

/** Whether these URLs are those of a Redis Cluster. */
export function isRedisCluster(urls: string): boolean {
  const [first, ...others] = splitUrls(urls)
  return others.length > 0 || (first !== undefined && new URL(first).searchParams.get('cluster') === 'true')
}
