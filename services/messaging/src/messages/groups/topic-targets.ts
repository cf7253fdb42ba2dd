import type { Pool } from '@tms/service-kit'
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
  return { find: (question) => reads.ask(question) }
}
