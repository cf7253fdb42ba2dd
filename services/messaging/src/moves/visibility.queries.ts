import { Role } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
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

/** Lists all users with a policy for either topic, with both. */
export async function listPolicies(tx: Tx, from: MovedTopic, to: MovedTopic): Promise<MovedTopicPolicies[]> {
  const { rows } = await tx.query<MovedTopicPolicies>({
    name: 'list-topic-policies',
    text: `
      select user_id as "userId",
             coalesce(max(visibility_policy) filter (where channel_id = $1 and topic_key = $2), 0) as moved,
             coalesce(max(visibility_policy) filter (where channel_id = $3 and topic_key = $4), 0) as existing,
             $5::boolean
             or exists (select from subscriptions s
                         where s.channel_id = $3 and s.user_id = t.user_id and s.is_active)
             or (not $6::boolean
                 and exists (select from known_users k
                              where k.user_id = t.user_id
                                and k.published_role <= ${Role.member})) as "canFollow"
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
