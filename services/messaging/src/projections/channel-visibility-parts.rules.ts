import type { ChannelRecord } from '@tms/contracts'

/** A channel that becomes visible, with all its subscribers. */
export interface GainedChannel {
  readonly channel: ChannelRecord
  readonly subscribers: number[]
}

/** The channels of one event. */
export interface VisibilityPart {
  readonly gained: GainedChannel[]
  readonly lost: ChannelRecord[]
}

/** Channels in one event: each becomes up to two client events, of which an event may have 2,048. */
const MAX_CHANNELS = 200
/** Subscribers in one event: more would make the log entry too large for the broker. */
const MAX_SUBSCRIBERS = 20_000

/**
 * Splits a change into parts that fit into one event each; at least one part, since the new role itself must be
 * published.
 */
export function splitVisibilityChange(
  gained: readonly GainedChannel[],
  lost: readonly ChannelRecord[],
): VisibilityPart[] {
  const parts: VisibilityPart[] = [{ gained: [], lost: [] }]
  let [channels, subscribers] = [0, 0]
  const partFor = (size: number): VisibilityPart => {
    channels++
    subscribers += size
    if (channels > 1 && (channels > MAX_CHANNELS || subscribers > MAX_SUBSCRIBERS)) {
      parts.push({ gained: [], lost: [] })
      channels = 1
      subscribers = size
    }
    return parts.at(-1) as VisibilityPart
  }
  for (const gainedChannel of gained) partFor(gainedChannel.subscribers.length).gained.push(gainedChannel)
  for (const channel of lost) partFor(0).lost.push(channel)
  return parts
}
