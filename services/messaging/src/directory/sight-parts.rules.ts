import type { ChannelRecord } from '@tms/contracts'

/** A channel that comes into sight, with everyone in it. */
export interface Gain {
  readonly channel: ChannelRecord
  readonly subscribers: number[]
}

/** What one event tells. */
export interface Part {
  readonly gained: Gain[]
  readonly lost: ChannelRecord[]
}

/** Channels in one event: each takes up to two of the 2,048 client events that one becomes at most. */
const MAX_CHANNELS = 200
/** Subscribers in one event: too many make an entry of the log too large for what carries it. */
const MAX_SUBSCRIBERS = 20_000

/** Parts that fit into an event each; at least one, since the new role itself must be told. */
export function partsOf(gained: readonly Gain[], lost: readonly ChannelRecord[]): Part[] {
  const parts: Part[] = [{ gained: [], lost: [] }]
  let [channels, subscribers] = [0, 0]
  const partFor = (size: number): Part => {
    channels++
    subscribers += size
    if (channels > 1 && (channels > MAX_CHANNELS || subscribers > MAX_SUBSCRIBERS)) {
      parts.push({ gained: [], lost: [] })
      channels = 1
      subscribers = size
    }
    return parts.at(-1) as Part
  }
  for (const gain of gained) partFor(gain.subscribers.length).gained.push(gain)
  for (const channel of lost) partFor(0).lost.push(channel)
  return parts
}
