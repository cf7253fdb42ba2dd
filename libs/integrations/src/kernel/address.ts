import type { AnyIntegration } from './integration.ts'

/** The address at which a program posts as the bot with this key. */
export function buildAddress(
  realmUrl: string,
  { name }: Pick<AnyIntegration, 'name'>,
  parameters: { readonly apiKey: string; readonly stream: string | null; readonly topic: string | null },
): string {
  const { apiKey, stream, topic } = parameters
  const query = new URLSearchParams({
    api_key: apiKey,
    ...(stream === null ? {} : { stream }),
    ...(topic === null ? {} : { topic }),
  })
  return `${realmUrl}/api/v1/external/${name}?${query.toString()}`
}

/** How to set up the program, in Markdown, with this address. */
export const setupFor = ({ setup }: Pick<AnyIntegration, 'setup'>, address: string): string =>
  // A function, because addresses may contain `$`.
  setup.replaceAll('{url}', () => address)

/** A channel or topic of an address as it was given to a program; the text itself if it isn't encoded. */
export function decodeAgain(
  { encodesAddressAgain }: Pick<AnyIntegration, 'encodesAddressAgain'>,
  text: string,
): string {
  if (!encodesAddressAgain) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
