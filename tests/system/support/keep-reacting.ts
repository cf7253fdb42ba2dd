import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

const { addReaction, removeReaction } = endpoints.messaging

/** Someone who cannot decide. */
export interface Reacting {
  /** Stops, and returns how many reactions were made and taken back in all. */
  stop(): Promise<number>
}

const PAUSE_MS = 25
const RETRY_MS = 100
/** What a change answers that was made before, though its answer was lost. */
const DONE_BEFORE = new Set<unknown>(['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST'])

/** Reacts to a message and takes that back, by turns, until stopped. What fails for want of a server is tried again. */
export function keepReacting(client: ApiClient, message_id: number): Reacting {
  let changes = 0
  let isStopped = false
  const run = async () => {
    while (!isStopped) {
      const change = changes % 2 === 0 ? addReaction : removeReaction
      const answer = await client.send(change, { message_id, emoji_name: 'tada' }).catch(() => null)
      const isDone = answer?.status === 200 || DONE_BEFORE.has(answer?.body['code'])
      if (isDone) changes += 1
      await new Promise((resolve) => setTimeout(resolve, isDone ? PAUSE_MS : RETRY_MS))
    }
  }
  const running = run()
  return {
    stop: async () => {
      isStopped = true
      await running
      return changes
    },
  }
}
