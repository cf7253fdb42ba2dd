import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

const { muteTopic, updateUserTopic } = endpoints.messaging
const POLICIES = [1, 3, 1, 2, 0] as const
const TOPICS = 7

/**
 * What people set for topics of channels that come into their sight and go out of it, for `startChurn` to repeat. They don't
 * look first whether they may: a channel that they can't see just now refuses them.
 */
export function churnOfTopics(
  people: readonly ApiClient[],
  channelIds: readonly number[],
): ((turn: number) => Promise<unknown>)[] {
  return people.map((person, index) => async (turn: number) => {
    const at = turn + index
    const stream_id = channelIds[at % channelIds.length] as number
    const topic = `t${at % TOPICS}`
    const visibility_policy = POLICIES[at % POLICIES.length] as (typeof POLICIES)[number]
    await person.send(updateUserTopic, { stream_id, topic, visibility_policy })
    if (turn % 3 === 0)
      await person.send(muteTopic, { stream_id, topic, op: turn % 2 === 0 ? 'add' : 'remove' })
  })
}
