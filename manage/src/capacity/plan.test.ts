import { describe, expect, test } from 'vitest'
import { type MeasuredCosts, planCapacity, usualHabits } from './plan.ts'

const costs: MeasuredCosts = {
  measuredOn: 'a machine',
  micros: {
    send: { gateway: 100, messaging: 400, postgres: 500, rabbitmq: 100, events: 50 },
    page: { gateway: 200, messaging: 1_000, postgres: 2_000 },
    ping: { gateway: 100, users: 200, redis: 20 },
    pollDelivery: { gateway: 50, events: 20, redis: 10 },
    streamDelivery: { gateway: 10, events: 5, redis: 1 },
  },
  perSecond: { sendsToOneChannel: 1_000 },
  clientBytes: { gateway: 16_000, events: 8_000 },
}
/** 1,000 messages and 300,000 deliveries a second, without pages. */
const busy = { ...usualHabits, people: 1_200_000, messagesPerDay: 20, readersPerMessage: 100, pagesPerDay: 0 }
const find = <T extends { readonly name: string }>(list: readonly T[], name: string): T =>
  list.find((one) => one.name === name) as T

describe('a plan', () => {
  test('has what happens at the busiest time', () => {
    const { load } = planCapacity(busy, costs)
    expect(load).toEqual({
      clients: 624_000,
      sendsPerSecond: 1_000,
      deliveriesPerSecond: 300_000,
      pagesPerSecond: 0,
      pingsPerSecond: 10_400,
    })
  })

  test('adds up what each operation costs, and leaves room', () => {
    const { services, servers } = planCapacity(busy, costs)
    // 1,000 sends, 10,400 pings and 300,000 deliveries
    expect(find(services, 'gateway').busyCores).toBeCloseTo(0.1 + 1.04 + 15)
    expect(find(servers, 'postgres')).toMatchObject({ busyCores: 0.5, cores: 1 })
  })

  test('has each replica of events read the whole log, beside its share of the deliveries', () => {
    // 3,000 entries a second, of 50 µs, and 300,000 deliveries
    const { services } = planCapacity(busy, costs)
    expect(find(services, 'events')).toMatchObject({
      replicas: Math.ceil(6 / (0.6 - 0.15)),
      busyCores: 6 + 14 * 0.15,
    })
  })

  test('needs less for clients that stream', () => {
    const polls = planCapacity(busy, costs)
    const streams = planCapacity({ ...busy, streamShare: 1 }, costs)
    expect(find(streams.services, 'events').busyCores).toBeLessThan(
      find(polls.services, 'events').busyCores / 3,
    )
  })

  test('has two replicas of each service for a few people, and gateways for their connections', () => {
    const small = planCapacity({ ...usualHabits, people: 10 }, costs)
    expect(small.services.map(({ replicas }) => replicas)).toEqual([2, 2, 2, 2, 2])
    const quiet = { ...usualHabits, people: 1_000_000, messagesPerDay: 0, pagesPerDay: 0, onlineShare: 0.1 }
    expect(find(planCapacity(quiet, costs).services, 'gateway').replicas).toBe(Math.ceil(130_000 / 15_000))
  })

  test('delivers to no more clients than there are', () => {
    const { load } = planCapacity({ ...usualHabits, people: 10, readersPerMessage: 1_000 }, costs)
    expect(load.deliveriesPerSecond / load.sendsPerSecond).toBeCloseTo(6 * (1 + usualHabits.eventsPerMessage))
  })

  test('says which part ends first', () => {
    const [first] = planCapacity({ ...busy, people: 100_000_000 }, costs).limits
    expect(first?.usedShare).toBeGreaterThan(1)
  })
})
