import type { ChannelRecord } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { partsOf } from './sight-parts.rules.ts'

const aChannel = (stream_id: number) => ({ stream_id }) as ChannelRecord
const channels = (count: number) => Array.from({ length: count }, (_, at) => aChannel(at))
const aGain = (stream_id: number, size: number) => ({
  channel: aChannel(stream_id),
  subscribers: Array.from({ length: size }, (_, at) => at),
})

describe('what a new role sees', () => {
  test('is told in one event, even if that is nothing', () => {
    expect(partsOf([], [])).toEqual([{ gained: [], lost: [] }])
    expect(partsOf([aGain(1, 3)], channels(2))).toEqual([{ gained: [aGain(1, 3)], lost: channels(2) }])
  })

  test('makes several events of many channels', () => {
    const parts = partsOf(
      channels(150).map(({ stream_id }) => aGain(stream_id, 1)),
      channels(300),
    )

    expect(parts.map(({ gained, lost }) => [gained.length, lost.length])).toEqual([
      [150, 50],
      [0, 200],
      [0, 50],
    ])
    expect(parts.flatMap(({ lost }) => lost)).toEqual(channels(300))
  })

  test('makes several events of many subscribers', () => {
    const gains = [aGain(1, 15_000), aGain(2, 6_000), aGain(3, 14_000), aGain(4, 50_000)]

    expect(partsOf(gains, []).map(({ gained }) => gained.map(({ channel }) => channel.stream_id))).toEqual([
      [1],
      [2, 3],
      [4],
    ])
  })
})
