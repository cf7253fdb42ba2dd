/** Stored names are cut here, as clients of the API expect. */
const MAX_LENGTH = 30

/**
 * The client's name: the `client` parameter if sent, else the product of the User-Agent (its leading words
 * up to `/`, `(` or a digit).
 */
export function clientNameOf(parameter: string | undefined, userAgent: string | undefined): string {
  if (parameter) return parameter.slice(0, MAX_LENGTH)
  if (userAgent === undefined) return 'Unspecified'
  const product = /^[^/(\d]*/.exec(userAgent)?.[0].trim()
  return (product || userAgent).slice(0, MAX_LENGTH)
}
