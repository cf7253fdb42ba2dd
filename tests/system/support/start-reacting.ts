import { endpoints } from '@tms/contracts'
import { type ApiClient, ApiError } from '@tms/test-kit'
import { createRepeater, type Repeater } from './repeater.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

const { addReaction, removeReaction } = endpoints.messaging

/** A user who adds and removes reactions. */
export interface Reactor extends Pick<Repeater, 'failed'> {
  /** Stops, and returns the number of added and removed reactions. */
  stop(): Promise<number>
}

const PAUSE_MS = 25
/** Error codes of a change that was made before, although its response was lost. */
const DONE_BEFORE = new Set<unknown>(['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST'])

/** Adds and removes a reaction, alternately, until it is stopped. Retries during outages. */
export function startReacting(client: ApiClient, message_id: number): Reactor {
  let changes = 0
  const { repeat, stop, failed } = createRepeater()
  repeat(async (turn) => {
    const change = turn % 2 === 0 ? addReaction : removeReaction
    await retryWhileUnavailable(async () => {
      const answer = await client.send(change, { message_id, emoji_name: 'tada' })
      const isDone = answer.status === 200 || DONE_BEFORE.has(answer.body['code'])
      if (!isDone) throw new ApiError(change.name, answer)
    })
    changes += 1
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  })
  return {
    stop: async () => {
      await stop()
      return changes
    },
    failed,
  }
}
