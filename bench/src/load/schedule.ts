import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nowMs } from '../processes/clock.ts'
import { type Call, expectSuccess, send } from './http-call.ts'

/** One sent message. */
export interface Sent {
  /** The index of the call. */
  readonly index: number
  readonly messageId: number
  /** When it was due; earlier than the time of sending if the sender was late. */
  readonly dueAt: number
  readonly replyMs: number
}

/**
 * Sends calls on schedule, whether or not earlier ones were answered, like independent users. `order` names the calls, one per
 * tick.
 */
export async function sendOnSchedule(options: {
  calls: readonly Call[]
  order: readonly number[]
  perSecond: number
}): Promise<Sent[]> {
  const { calls, order, perSecond } = options
  const agent = new Agent({ keepAlive: true })
  const startedAt = nowMs()
  const one = async (index: number, dueAt: number): Promise<Sent> => {
    const reply = await send(agent, calls[index] as Call)
    const { id } = JSON.parse(expectSuccess(reply)) as { id: number }
    return { index, messageId: id, dueAt, replyMs: nowMs() - dueAt }
  }
  const sending: Promise<Sent>[] = []
  try {
    for (const [tick, index] of order.entries()) {
      const dueAt = startedAt + (tick * 1_000) / perSecond
      const waitMs = dueAt - nowMs()
      if (waitMs > 0) await sleep(waitMs)
      sending.push(one(index, dueAt))
    }
    return await Promise.all(sending)
  } finally {
    // The first failure is thrown; the others must not end the process.
    await Promise.allSettled(sending)
    agent.destroy()
  }
}
