import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

/** A sender that never gives up. */
export interface Sending {
  /** Messages answered with success so far. */
  readonly sent: number
  /** Their IDs. */
  readonly accepted: readonly number[]
  stop(): Promise<void>
}

const PAUSE_MS = 15
const RETRY_MS = 100

/**
 * Sends numbered messages to a channel until stopped. What fails for want of a server is sent again under the same
 * Idempotency-Key, so that each number is there once, even where only the answer was lost.
 */
export function keepSending(client: ApiClient, channel: string, label: string, pauseMs = PAUSE_MS): Sending {
  const accepted: number[] = []
  let isStopped = false
  const run = async () => {
    for (let number = 1; !isStopped; ) {
      try {
        const content = `${label}: ${number}`
        const { id } = await client.call(
          endpoints.messaging.sendMessage,
          { type: 'channel', to: channel, topic: label, content },
          { headers: { 'idempotency-key': content } },
        )
        accepted.push(id)
        number += 1
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
  const running = run()
  return {
    get sent() {
      return accepted.length
    },
    accepted,
    stop: async () => {
      isStopped = true
      await running
    },
  }
}
