/** A comma may also be part of a password; one that ends a URL is followed by another URL. */
const BETWEEN_URLS = /,\s*(?=[a-z]+:\/\/)/

/** The URLs of a server or, separated by commas, of the nodes of a cluster. */
export function splitUrls(urls: string): string[] {
  return urls.split(BETWEEN_URLS)
}
