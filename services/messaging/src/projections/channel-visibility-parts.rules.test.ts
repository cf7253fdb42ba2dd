import type { ChannelRecord } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { splitVisibilityChange } from './channel-visibility-parts.rules.ts'

const aChannel = (stream_id: number) => ({ stream_id }) as ChannelRecord
const channels = (count: number) => Array.from({ length: count }, (_, at) => aChannel(at))
const aGainedChannel = (stream_id: number, size: number) => ({
  channel: aChannel(stream_id),
  subscribers: Array.from({ length: size }, (_, at) => at),
})

describe('the events of a changed channel visibility', () => {
  test('is one event, even without any channel', () => {
    expect(splitVisibilityChange([], [])).toEqual([{ gained: [], lost: [] }])
    expect(splitVisibilityChange([aGainedChannel(1, 3)], channels(2))).toEqual([
      { gained: [aGainedChannel(1, 3)], lost: channels(2) },
    ])
  })

  test('are several for many channels', () => {
    const parts = splitVisibilityChange(
      channels(150).map(({ stream_id }) => aGainedChannel(stream_id, 1)),
      channels(300),
    )

    expect(parts.map(({ gained, lost }) => [gained.length, lost.length])).toEqual([
      [150, 50],
      [0, 200],
      [0, 50],
    ])
    expect(parts.flatMap(({ lost }) => lost)).toEqual(channels(300))
  })

  test('are several for many subscribers', () => {
    const gainedChannels = [
      aGainedChannel(1, 15_000),
      aGainedChannel(2, 6_000),
      aGainedChannel(3, 14_000),
      aGainedChannel(4, 50_000),
    ]

    expect(
      splitVisibilityChange(gainedChannels, []).map(({ gained }) =>
        gained.map(({ channel }) => channel.stream_id),
      ),
    ).toEqual([[1], [2, 3], [4]])
  })
})
