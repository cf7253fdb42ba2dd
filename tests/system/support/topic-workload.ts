import { EMPTY_TOPIC_NAME, endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

const { muteTopic, updateUserTopic } = endpoints.messaging
const POLICIES = [1, 3, 1, 2, 0] as const
const TOPICS = 7

/** A topic of a workload; the first one is empty, and is named in either way. */
export const workloadTopic = (number: number, turn = number): string =>
  number > 0 ? `t${number}` : turn % 2 === 0 ? '' : EMPTY_TOPIC_NAME

/**
 * Changes of topic settings in channels that become visible and hidden, for `startWorkload`. Users do not check access first: a
 * hidden channel rejects them.
 */
export function topicWorkload(
  users: readonly ApiClient[],
  channelIds: readonly number[],
): ((turn: number) => Promise<unknown>)[] {
  return users.map((user, index) => async (turn: number) => {
    const at = turn + index
    const stream_id = channelIds[at % channelIds.length] as number
    const topic = workloadTopic(at % TOPICS, turn)
    const visibility_policy = POLICIES[at % POLICIES.length] as (typeof POLICIES)[number]
    await user.send(updateUserTopic, { stream_id, topic, visibility_policy })
    if (turn % 3 === 0)
      await user.send(muteTopic, { stream_id, topic, op: turn % 2 === 0 ? 'add' : 'remove' })
  })
}
