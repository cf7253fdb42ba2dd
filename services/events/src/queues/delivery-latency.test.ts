import { Registry } from '@tms/service-kit'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDeliveryLatency, type DeliveryLatency, findOldestAt } from './delivery-latency.ts'

const NOW = 1_800_000_000_000
let registry: Registry
let latency: DeliveryLatency
beforeEach(() => {
  registry = new Registry()
  latency = createDeliveryLatency([registry], () => NOW)
})

/** A line of the exported metric. */
const exported = async (series: string): Promise<number> => {
  const lines = (await registry.metrics()).split('\n')
  return Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1))
}

describe('the delivery latency', () => {
  test('is the time since the oldest event was inserted, in seconds', async () => {
    latency.recordAnswer(NOW - 1_500)

    expect(await exported('event_delivery_seconds_sum')).toBe(1.5)
    expect(await exported('event_delivery_seconds_bucket{le="1"}')).toBe(0)
    expect(await exported('event_delivery_seconds_bucket{le="2"}')).toBe(1)
  })

  test('is 0 if the clock of the producer is ahead', async () => {
    latency.recordAnswer(NOW + 60_000)

    expect(await exported('event_delivery_seconds_sum')).toBe(0)
    expect(await exported('event_delivery_seconds_count')).toBe(1)
  })
})

describe('findOldestAt', () => {
  test('finds the oldest entry, wherever it is', () => {
    expect(findOldestAt([{ at: 30 }, { at: 10 }, { at: 20 }])).toBe(10)
  })

  test('finds none in an answer without events', () => {
    expect(findOldestAt([])).toBeNull()
  })

  test('ignores entries without a time', () => {
    const untimed = {} as { at: number }
    expect(findOldestAt([untimed, { at: 10 }])).toBe(10)
    expect(findOldestAt([untimed])).toBeNull()
  })
})
