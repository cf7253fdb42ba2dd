import { channelRules } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { isReaderOf, publishedRoleOf } from '../kernel/access/access.queries.ts'
import { allowsSql } from '../kernel/access/access-sql.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import type { MoveTarget } from './carry-ranges.queries.ts'

export interface MovedTopic {
  readonly channel: MoveTarget & { readonly recipientId: number }
  readonly topic: string
}

/** Policies of a user for the moved topic and the existing one; 0 if there is none. */
export interface MovedTopicPolicies {
  readonly userId: number
  readonly moved: number
  readonly existing: number
  /** The user may read the target channel. */
  readonly canFollow: boolean
}

/** SQL: whether the user of a policy `t` may read the target channel. */
const CAN_FOLLOW = allowsSql(channelRules.access, {
  isArchived: false,
  isSubscribed: `exists (select from subscriptions s
                          where s.channel_id = $3 and s.user_id = t.user_id and s.is_active)`,
  isViewer: false,
  isReader: isReaderOf('$3', 't.user_id'),
  isWebPublic: '$5::boolean',
  isPrivate: '$6::boolean',
  role: publishedRoleOf('t.user_id'),
})

/** Lists all users with a policy for either topic, with both. */
export async function listPolicies(tx: Tx, from: MovedTopic, to: MovedTopic): Promise<MovedTopicPolicies[]> {
  const { rows } = await tx.query<MovedTopicPolicies>({
    name: 'list-topic-policies',
    text: `
      select user_id as "userId",
             coalesce(max(visibility_policy) filter (where channel_id = $1 and topic_key = $2), 0) as moved,
             coalesce(max(visibility_policy) filter (where channel_id = $3 and topic_key = $4), 0) as existing,
             ${CAN_FOLLOW} as "canFollow"
        from user_topics t
       where (channel_id = $1 and topic_key = $2)
          or (channel_id = $3 and topic_key = $4)
       group by user_id
       order by user_id`,
    values: [
      from.channel.id,
      caseKey(from.topic),
      to.channel.id,
      caseKey(to.topic),
      to.channel.isWebPublic,
      to.channel.inviteOnly,
    ],
  })
  return rows
}

/** Whether a topic has messages besides these. */
export async function hasOtherMessages(
  tx: Tx,
  { channel, topic }: MovedTopic,
  messageIds: readonly number[],
): Promise<boolean> {
  const { rows } = await tx.query<{ exists: boolean }>({
    name: 'has-other-messages',
    text: `
      select exists (select
                       from messages
                      where recipient_id = $1
                        and topic_key = $2
                        and id <> all($3::bigint[])) as exists`,
    values: [channel.recipientId, caseKey(topic), messageIds],
  })
  return rows[0]?.exists ?? false
}
