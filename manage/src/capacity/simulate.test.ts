import { describe, expect, test } from 'vitest'
import { EventHeap } from './event-heap.ts'
import { type Habits, type MeasuredCosts, planCapacity, usualHabits } from './plan.ts'
import { simulate } from './simulate.ts'
import { Station } from './station.ts'

const costs: MeasuredCosts = {
  measuredOn: 'nowhere',
  micros: {
    send: { gateway: 200, messaging: 250, postgres: 400, events: 50, rabbitmq: 100 },
    pollDelivery: { gateway: 70, events: 40, redis: 30 },
    page: { gateway: 300, messaging: 500, postgres: 10_000 },
    ping: { gateway: 100, users: 100, postgres: 100 },
  },
  perSecond: { sendsToOneChannel: 10_000 },
  clientBytes: {},
}
const run = (habits: Partial<Habits>, moment = { lost: 0, burst: 1 }) => {
  const all = { ...usualHabits, people: 20_000, ...habits }
  return simulate({ habits: all, plan: planCapacity(all, costs), costs }, moment)
}

describe('a simulation', () => {
  test('is the same each time', () => {
    expect(run({})).toEqual(run({}))
  })

  test('takes about its CPU while little happens', () => {
    const { send, busiest } = run({ people: 500 })
    // 850 µs on the way, spread: half of them take less.
    expect(send.p50).toBeGreaterThan(0.5)
    expect(send.p50).toBeLessThan(1.2)
    expect(busiest.usedShare).toBeLessThan(0.1)
  })

  test('waits longer when a replica is away, and when more happens', () => {
    const planned = run({ people: 200_000 })
    expect(run({ people: 200_000 }, { lost: 1, burst: 1 }).delivery.p99).toBeGreaterThan(planned.delivery.p99)
    expect(run({ people: 200_000 }, { lost: 0, burst: 1.5 }).send.p99).toBeGreaterThan(planned.send.p99)
  })

  test('falls behind when one server is planned that cannot bear it, and names that', () => {
    const { busiest, send } = run({ people: 5_000_000, readersPerMessage: 1, eventsPerMessage: 0 })
    expect(busiest.name).toBe('PostgreSQL')
    expect(busiest.usedShare).toBeGreaterThan(1)
    expect(send.p99).toBeGreaterThan(100)
  })
})

test('a station works on as many jobs at once as it has cores, in the order of arrival', () => {
  const station = new Station('a server', 2)
  expect([station.take(0, 1), station.take(0, 2), station.take(0.5, 1)]).toEqual([1, 2, 2])
  expect(station.usedShare(2)).toBe(1)
})

test('a heap runs work by time, and what is due at once in the order in which it was added', () => {
  const heap = new EventHeap()
  const order: string[] = []
  for (const [at, name] of [
    [3, 'c'],
    [1, 'a'],
    [2, 'b'],
    [1, 'a too'],
    [9, 'late'],
  ] as const)
    heap.add(at, () => order.push(name))
  while (heap.runNext(5) !== null);
  expect(order).toEqual(['a', 'a too', 'b', 'c'])
})
