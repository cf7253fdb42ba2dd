import { endpoints } from '@tms/contracts'
import { type ApiClient, ApiError } from '@tms/test-kit'
import { createEndless, type Endless } from './forever.ts'
import { persist } from './persist.ts'

const { addReaction, removeReaction } = endpoints.messaging

/** Someone who cannot decide. */
export interface Reacting extends Pick<Endless, 'failed'> {
  /** Stops, and returns how many reactions were made and taken back in all. */
  stop(): Promise<number>
}

const PAUSE_MS = 25
/** What a change answers that was made before, though its answer was lost. */
const DONE_BEFORE = new Set<unknown>(['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST'])

/** Reacts to a message and takes that back, by turns, until stopped. What fails for want of a server is tried again. */
export function keepReacting(client: ApiClient, message_id: number): Reacting {
  let changes = 0
  const { forever, stop, failed } = createEndless()
  forever(async (turn) => {
    const change = turn % 2 === 0 ? addReaction : removeReaction
    await persist(async () => {
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
