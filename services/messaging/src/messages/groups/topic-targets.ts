import type { Pool } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { GroupedReads } from '../../kernel/concurrency/grouped-reads.ts'
import type { TopicTargets } from '../../kernel/context.ts'
import {
  findTopicTarget,
  findTopicTargets,
  type TopicQuestion,
  type TopicTarget,
} from '../../kernel/messages/posting-target.queries.ts'

/** More make the groups smaller; with one, who comes while another is served waits for two. */
const USUAL = 2
const SHARE = 0.2
/** Topics of senders. Too few, and those who write all day are read again for each message. */
const RECALLED = { max: 5_000, maxSize: 10 * 1024 ** 2 }
/** Bytes of one, without permissions, which may name thousands of users. */
const BYTES = 1_000

/** Finds the topics of the messages that this replica sends. */
export function createTopicTargets(db: Pool, connections: number): TopicTargets {
  const reads = new GroupedReads<TopicQuestion, TopicTarget | null>(
    async (questions) => {
      const [first] = questions
      return first && questions.length === 1
        ? [await findTopicTarget(db, first)]
        : findTopicTargets(db, questions)
    },
    { usual: USUAL, connections: Math.max(1, Math.floor(connections * SHARE)) },
  )
  const found = new LRUCache<string, TopicTarget>({
    ...RECALLED,
    sizeCalculation: ({ channel }) => BYTES + JSON.stringify(channel.permissions ?? null).length,
  })
  return {
    find: async (question) => {
      const target = await reads.ask(question)
      const key = keyOf(question)
      if (target === null || target.revision === null) found.delete(key)
      else found.set(key, target)
      return target && { ...target, revision: null }
    },
    recall: (question) => found.get(keyOf(question)) ?? null,
  }
}

const keyOf = ({ user, reference, topic }: TopicQuestion): string =>
  JSON.stringify([user.realmId, user.userId, 'id' in reference ? reference.id : reference.name, topic])
