import { Role } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import type { Target } from './carry-ranges.queries.ts'

export interface TopicPlace {
  readonly channel: Target & { readonly recipientId: number }
  readonly topic: string
}

/** How a user sees two topics; 0 where they have no policy for one. */
export interface Policies {
  readonly userId: number
  readonly moved: number
  readonly present: number
  /** They may read the channel of the second. */
  readonly canFollow: boolean
}

/** Everyone who has a policy for either of two topics, with both; locks the rows. */
export async function lockPolicies(tx: Tx, from: TopicPlace, to: TopicPlace): Promise<Policies[]> {
  const places = [from.channel.id, caseKey(from.topic), to.channel.id, caseKey(to.topic)]
  await tx.query({
    name: 'lock-topic-policies',
    text: `
      select
        from user_topics
       where (channel_id = $1 and topic_key = $2)
          or (channel_id = $3 and topic_key = $4)
       order by channel_id, topic_key, user_id
         for no key update`,
    values: places,
  })
  const { rows } = await tx.query<Policies>({
    name: 'list-topic-policies',
    text: `
      select user_id as "userId",
             coalesce(max(visibility_policy) filter (where channel_id = $1 and topic_key = $2), 0) as moved,
             coalesce(max(visibility_policy) filter (where channel_id = $3 and topic_key = $4), 0) as present,
             $5::boolean
             or exists (select from subscriptions s
                         where s.channel_id = $3 and s.user_id = t.user_id and s.is_active)
             or (not $6::boolean
                 and exists (select from known_users k
                              where k.user_id = t.user_id
                                and (k.facts ->> 'role')::integer <= ${Role.member})) as "canFollow"
        from user_topics t
       where (channel_id = $1 and topic_key = $2)
          or (channel_id = $3 and topic_key = $4)
       group by user_id
       order by user_id`,
    values: [...places, to.channel.isWebPublic, to.channel.inviteOnly],
  })
  return rows
}

/** Whether a topic holds messages besides these. */
export async function hasOtherMessages(
  tx: Tx,
  { channel, topic }: TopicPlace,
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

/** Takes away every policy for a topic. */
export async function clearPolicies(tx: Tx, { channel, topic }: TopicPlace): Promise<void> {
  await tx.query({
    name: 'clear-topic-policies',
    text: `
      delete from user_topics
       where channel_id = $1
         and topic_key = $2`,
    values: [channel.id, caseKey(topic)],
  })
}

/** Sets policies of users for a topic; 0 takes one away. */
export async function setPolicies(
  tx: Tx,
  { channel, topic }: TopicPlace,
  policies: readonly { readonly userId: number; readonly policy: number }[],
): Promise<void> {
  const values = [
    channel.id,
    caseKey(topic),
    policies.map(({ userId }) => userId),
    policies.map(({ policy }) => policy),
  ]
  await tx.query({
    name: 'drop-topic-policies',
    text: `
      delete from user_topics t
       using unnest($3::bigint[], $4::smallint[]) as wanted (user_id, policy)
       where t.channel_id = $1
         and t.topic_key = $2
         and t.user_id = wanted.user_id
         and wanted.policy = 0`,
    values,
  })
  await tx.query({
    name: 'set-topic-policies',
    text: `
      insert into user_topics (user_id, channel_id, topic_key, topic_name, visibility_policy)
      select user_id, $1, $2, $5, policy
        from unnest($3::bigint[], $4::smallint[]) as wanted (user_id, policy)
       where policy <> 0
       order by user_id
          on conflict (user_id, channel_id, topic_key) do update
         set visibility_policy = excluded.visibility_policy,
             topic_name = excluded.topic_name,
             updated_at = now()`,
    values: [...values, topic],
  })
}
