/** A comma may also stand in a password; one that ends a URL has another URL behind it. */
const BETWEEN_URLS = /,\s*(?=[a-z]+:\/\/)/

/** The URLs of a server or, separated by commas, of the nodes of a cluster. */
export function splitUrls(urls: string): string[] {
  return urls.split(BETWEEN_URLS)
}
