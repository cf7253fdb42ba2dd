import { parseChannelDescription, parseNamedChannel } from '../channels/channel-text.rules.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { parseColor } from './color.rules.ts'

/** A channel in a subscribe request. */
export interface RequestedChannel {
  readonly name: string
  readonly description: string
  readonly color: string | undefined
}

/**
 * Validates the channels of a subscribe request. Of names that differ only in case, the first counts. Throws
 * BAD_REQUEST.
 */
export function parseRequestedChannels(
  subscriptions: readonly {
    readonly name: string
    readonly description?: string | undefined
    readonly color?: string | undefined
  }[],
): RequestedChannel[] {
  const requested = new Map<string, RequestedChannel>()
  for (const { name: rawName, description, color } of subscriptions) {
    const name = parseNamedChannel(rawName)
    const key = caseKey(name)
    if (requested.has(key)) continue
    requested.set(key, {
      name,
      description: parseChannelDescription(description ?? ''),
      color: color === undefined ? undefined : parseColor(color),
    })
  }
  return [...requested.values()]
}
