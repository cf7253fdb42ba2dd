import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { createRepeater, type Repeater } from './repeater.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

/** A user who sends messages, across outages of servers. */
export interface MessageSender extends Pick<Repeater, 'stop' | 'failed'> {
  /** The number of successful sends so far. */
  readonly sent: number
  /** Their IDs. */
  readonly accepted: readonly number[]
}

const PAUSE_MS = 15

/**
 * Sends numbered messages to a channel until it is stopped. Retries during outages with the same Idempotency-Key, so that each
 * number exists once, even if only the response was lost.
 */
export function startSending(
  client: ApiClient,
  channel: string,
  label: string,
  pauseMs = PAUSE_MS,
): MessageSender {
  const accepted: number[] = []
  const { repeat, stop, failed } = createRepeater()
  repeat(async (turn) => {
    const content = `${label}: ${turn + 1}`
    const message = { type: 'channel', to: channel, topic: label, content } as const
    const headers = { 'idempotency-key': content }
    const { id } = await retryWhileUnavailable(() =>
      client.call(endpoints.messaging.sendMessage, message, { headers }),
    )
    accepted.push(id)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  })
  return {
    get sent() {
      return accepted.length
    },
    accepted,
    stop,
    failed,
  }
}
