import { EventHeap } from './event-heap.ts'
import { type CapacityPlan, type Habits, LARGEST_SERVER, type MeasuredCosts, PARTITIONS } from './plan.ts'
import { Station } from './station.ts'

/** A busy moment of a planned installation. */
export interface Moment {
  /** Replicas that each service lacks, of those planned; one always remains. */
  readonly lost: number
  /** How many times the load of the busiest hour. */
  readonly burst: number
}

/** What an installation is to bear, beside the busiest hour itself. */
export const moments: readonly (Moment & { readonly name: string })[] = [
  { name: 'as planned', lost: 0, burst: 1 },
  { name: 'one replica of each service away', lost: 1, burst: 1 },
  { name: 'half as much again', lost: 0, burst: 1.5 },
]

export interface Simulated {
  /** Milliseconds from request to answer of a send, and from the send to the client of a delivery. */
  readonly send: Percentiles
  readonly delivery: Percentiles
  /** The part with the most work, and how much of its time that takes; above 1 it falls behind. */
  readonly busiest: { readonly name: string; readonly usedShare: number }
}

export interface Percentiles {
  readonly p50: number
  readonly p99: number
}

/** Entries of the log and requests of a simulation, which take some seconds to play; it is as long as these take to come. */
const WORK = 40_000
const SECONDS = { least: 1, most: 20 }
/** Measurement begins when queues have their usual length. */
const WARM_UP = 0.2
/** Of all sends, those to the busiest channel. */
const BUSIEST_CHANNEL = 0.1

/**
 * Plays some seconds of the work of a planned installation: each request, entry of the log and delivery takes its measured CPU, spread
 * as exponential times, at each process on its way, and waits for what came before it there. Networks and disks take no time. The same
 * arguments give the same result.
 */
export function simulate(
  {
    habits,
    plan,
    costs,
  }: { readonly habits: Habits; readonly plan: CapacityPlan; readonly costs: MeasuredCosts },
  { lost, burst }: Moment,
): Simulated {
  const random = createRandom(1)
  const heap = new EventHeap()
  const exponential = (mean: number) => -Math.log(1 - random()) * mean
  const cost = (operation: string, process: string) => (costs.micros[operation]?.[process] ?? 0) / 1e6
  const blended = (process: string) =>
    cost('pollDelivery', process) * (1 - habits.streamShare) +
    cost('streamDelivery', process) * habits.streamShare

  const replicasOf = (name: string) => {
    const planned = plan.services.find((one) => one.name === name)?.replicas ?? 1
    const most = name === 'events' ? Math.min(planned, PARTITIONS) : planned
    return Array.from({ length: Math.max(1, most - lost) }, () => new Station(name))
  }
  const coresOf = (name: string) => plan.servers.find((one) => one.name === name)?.cores ?? 1
  const [gateways, users, messaging, events] = ['gateway', 'users', 'messaging', 'events'].map(
    replicasOf,
  ) as [Station[], Station[], Station[], Station[]]
  const postgres = new Station('PostgreSQL', Math.min(coresOf('postgres'), LARGEST_SERVER))
  const rabbitmq = new Station('RabbitMQ', coresOf('rabbitmq'))
  const masters = Array.from({ length: Math.min(coresOf('redis'), PARTITIONS) }, () => new Station('Redis'))
  const channel = new Station('the busiest channel')

  const any = (stations: readonly Station[]) => stations[Math.floor(random() * stations.length)] as Station
  /** Passes one station after the other, and then does the rest. */
  const pass = (
    at: number,
    way: readonly (readonly [Station, number])[],
    done: (at: number) => void,
    index = 0,
  ): void => {
    const next = way[index]
    if (next === undefined) return done(at)
    heap.add(at, () => pass(next[0].take(at, exponential(next[1])), way, done, index + 1))
  }
  /** Random arrivals at this rate. */
  const arrive = (perSecond: number, work: (at: number) => void, at = 0): void => {
    if (perSecond <= 0) return
    const next = at + exponential(1 / perSecond)
    heap.add(next, () => {
      work(next)
      arrive(perSecond, work, next)
    })
  }

  const sends: number[] = []
  const deliveries: number[] = []
  const { load } = plan
  const perSecond =
    (load.sendsPerSecond * (1 + habits.eventsPerMessage) + load.pagesPerSecond) * burst + load.pingsPerSecond
  const seconds = Math.min(SECONDS.most, Math.max(SECONDS.least, WORK / perSecond))
  const counts = (startedAt: number) => startedAt >= seconds * WARM_UP
  const deliver = (startedAt: number, at: number): void =>
    pass(at, [[rabbitmq, cost('send', 'rabbitmq')]], (logged) => {
      const readers = Math.min(plan.load.clients, Math.round(habits.readersPerMessage))
      const perReplica = events.map(() => 0)
      for (let i = 0; i < readers; i++) {
        const replica = Math.floor(random() * events.length)
        perReplica[replica] = (perReplica[replica] ?? 0) + 1
      }
      for (const [index, count] of perReplica.entries()) {
        const replica = events[index] as Station
        // Each replica reads each entry, also those that concern nobody of its partitions.
        const reading = cost('send', 'events') + count * blended('events')
        heap.add(logged, () => answer(startedAt, replica.take(logged, reading), count))
      }
    })
  const answer = (startedAt: number, at: number, count: number): void => {
    if (count === 0) return
    heap.add(at, () => {
      const stored = any(masters).take(at, count * blended('redis'))
      for (let i = 0; i < count; i++) {
        heap.add(stored, () => {
          const end = any(gateways).take(stored, blended('gateway'))
          if (counts(startedAt)) deliveries.push((end - startedAt) * 1_000)
        })
      }
    })
  }
  const sendOne = (startedAt: number): void => {
    const way: [Station, number][] = [
      [any(gateways), cost('send', 'gateway')],
      [any(messaging), cost('send', 'messaging')],
      [postgres, cost('send', 'postgres')],
    ]
    if (random() < BUSIEST_CHANNEL)
      way.push([channel, 1 / (costs.perSecond['sendsToOneChannel'] ?? Number.POSITIVE_INFINITY)])
    pass(startedAt, way, (stored) => {
      if (counts(startedAt)) sends.push((stored - startedAt) * 1_000)
      deliver(startedAt, stored)
    })
  }
  arrive(load.sendsPerSecond * burst, sendOne)
  arrive(load.sendsPerSecond * habits.eventsPerMessage * burst, (at) => deliver(at, at))
  arrive(load.pagesPerSecond * burst, (at) =>
    pass(
      at,
      [
        [any(gateways), cost('page', 'gateway')],
        [any(messaging), cost('page', 'messaging')],
        [postgres, cost('page', 'postgres')],
      ],
      () => {},
    ),
  )
  arrive(load.pingsPerSecond, (at) =>
    pass(
      at,
      [
        [any(gateways), cost('ping', 'gateway')],
        [any(users), cost('ping', 'users')],
        [postgres, cost('ping', 'postgres')],
      ],
      () => {},
    ),
  )
  while (heap.runNext(seconds) !== null);

  const stations = [...gateways, ...users, ...messaging, ...events, ...masters, postgres, rabbitmq, channel]
  const [busiest] = stations
    .map((station) => ({ name: station.name, usedShare: station.usedShare(seconds) }))
    .toSorted((a, b) => b.usedShare - a.usedShare)
  return {
    send: percentilesOf(sends),
    delivery: percentilesOf(deliveries),
    busiest: busiest ?? { name: 'nothing', usedShare: 0 },
  }
}

function percentilesOf(values: number[]): Percentiles {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

/** Pseudo-random numbers from 0 to 1 (mulberry32), the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
