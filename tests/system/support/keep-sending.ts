import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { createEndless, type Endless } from './forever.ts'
import { persist } from './persist.ts'

/** A sender whom no server's absence stops. */
export interface Sending extends Pick<Endless, 'stop' | 'failed'> {
  /** Messages answered with success so far. */
  readonly sent: number
  /** Their IDs. */
  readonly accepted: readonly number[]
}

const PAUSE_MS = 15

/**
 * Sends numbered messages to a channel until stopped. What fails for want of a server is sent again under the same
 * Idempotency-Key, so that each number is there once, even where only the answer was lost.
 */
export function keepSending(client: ApiClient, channel: string, label: string, pauseMs = PAUSE_MS): Sending {
  const accepted: number[] = []
  const { forever, stop, failed } = createEndless()
  forever(async (turn) => {
    const content = `${label}: ${turn + 1}`
    const message = { type: 'channel', to: channel, topic: label, content } as const
    const headers = { 'idempotency-key': content }
    const { id } = await persist(() => client.call(endpoints.messaging.sendMessage, message, { headers }))
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
