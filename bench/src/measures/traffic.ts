import { setTimeout as sleep } from 'node:timers/promises'
import type { Commands } from '../load/commands.ts'
import type { Call } from '../load/http-call.ts'
import type { Child } from '../processes/child-process.ts'
import type { Bench } from './bench.ts'

/** Longer than any recoverable delay. */
const STANDSTILL_MS = 75_000
const CHECK_MS = 100
/** The resolution that separates temporary delays from a constant overload. */
export const PERIOD_SECONDS = 10

/** A channel whose subscribers all have a pending poll. */
export interface LiveChannel {
  readonly size: number
  readonly call: Call
}

export interface Traffic {
  /** From when a message was due to each arrival, milliseconds by the size of the channel. */
  readonly latencies: ReadonlyMap<number, readonly number[]>
  /** From when a message was due to the response to its sender. */
  readonly replies: readonly number[]
  /** For each period of `PERIOD_SECONDS` in which messages were due: deliveries, milliseconds. */
  readonly periods: readonly (readonly number[])[]
  readonly deliveries: number
  readonly seconds: number
}

/**
 * Sends to the channels of `order`, one per tick, while `meanwhile` runs, and waits until each message has arrived at each of
 * its readers. Rejects if one is lost or arrives twice.
 */
export async function runTraffic(
  { senders }: Pick<Bench, 'senders'>,
  options: {
    readers: readonly Child<Commands>[]
    channels: readonly LiveChannel[]
    order: readonly number[]
    perSecond: number
    meanwhile?: () => Promise<unknown>
  },
): Promise<Traffic> {
  const { readers, channels, order, perSecond, meanwhile } = options
  await Promise.all(readers.map((reader) => reader.call('noteArrivals')))
  const calls = channels.map(({ call }) => call)
  const [sent] = await Promise.all([
    senders.call('sendOnSchedule', { calls, order, perSecond }),
    meanwhile?.(),
  ])

  const messageIds = sent.map(({ messageId }) => messageId)
  const sizeOf = (index: number) => channels[index]?.size ?? 0
  const expected = sent.reduce((sum, { index }) => sum + sizeOf(index), 0)
  await untilArrived(readers, expected)
  const arrivals = await Promise.all(readers.map((reader) => reader.call('takeArrivals', { messageIds })))
  const latencies = new Map<number, number[]>()
  const periods: number[][] = []
  const beganAt = sent[0]?.dueAt ?? 0
  for (const [position, { index, dueAt }] of sent.entries()) {
    const times = arrivals.flatMap((byMessage) => byMessage[position] ?? [])
    if (times.length !== sizeOf(index)) {
      throw new Error(`a message to ${sizeOf(index)} readers arrived ${times.length} times`)
    }
    const own = latencies.get(sizeOf(index)) ?? []
    latencies.set(sizeOf(index), own)
    const period = Math.floor((dueAt - beganAt) / 1_000 / PERIOD_SECONDS)
    periods[period] ??= []
    for (const at of times) {
      own.push(at - dueAt)
      periods[period].push(at - dueAt)
    }
  }
  return {
    latencies,
    replies: sent.map(({ replyMs }) => replyMs),
    periods: Array.from(periods, (period) => period ?? []),
    deliveries: expected,
    seconds: order.length / perSecond,
  }
}

/** Waits until readers together have this number of messages. Rejects when none arrives for a long while. */
async function untilArrived(readers: readonly Child<Commands>[], expected: number): Promise<void> {
  let seen = -1
  let seenAt = performance.now()
  for (;;) {
    const counts = await Promise.all(readers.map((reader) => reader.call('countArrivals')))
    const arrived = counts.reduce((sum, count) => sum + count, 0)
    if (arrived >= expected) return
    if (arrived > seen) seenAt = performance.now()
    seen = arrived
    if (performance.now() - seenAt > STANDSTILL_MS) {
      throw new Error(`${expected - arrived} of ${expected} deliveries are missing`)
    }
    await sleep(CHECK_MS)
  }
}

/** The channel of each message: each channel has its share, well mixed, and the same in every run. */
export function spreadOver(shares: readonly number[], messages: number): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0)
  const owed = shares.map(() => 0)
  return Array.from({ length: messages }, () => {
    for (const [index, share] of shares.entries()) owed[index] = (owed[index] ?? 0) + share / total
    const next = owed.indexOf(Math.max(...owed))
    owed[next] = (owed[next] ?? 0) - 1
    return next
  })
}
