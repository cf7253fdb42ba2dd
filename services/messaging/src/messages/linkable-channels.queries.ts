import { channelRules, messageRules } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { channelColumns, grantColumns } from '../kernel/access/access.queries.ts'
import { allowsSql } from '../kernel/access/access-sql.ts'
import type { LinkableChannel, StartedTopic } from '../kernel/rendering/mention-lookup.ts'
import { caseKey } from '../kernel/text/case-key.ts'

/** SQL: whether the author may see the channel `c`; `s` is the author's subscription. */
const CAN_SEE = allowsSql(channelRules.see, {
  ...channelColumns('c'),
  ...grantColumns('c', '$3'),
  isSubscribed: 's.user_id is not null',
  role: '$4::integer',
})

/**
 * Lists the channels with these exact names that the author may know of. A link to any other channel would reveal
 * its existence to the author.
 */
export async function listLinkableChannels(
  db: Queryable,
  author: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  names: readonly string[],
): Promise<LinkableChannel[]> {
  const { rows } = await db.query<LinkableChannel>({
    name: 'list-linkable-channels',
    text: `
      select c.id as "channelId", c.name
        from channels c
        left join subscriptions s
          on s.channel_id = c.id
         and s.user_id = $3
         and s.is_active
       where c.realm_id = $1
         -- The index is on the folded name; the exact name then decides.
         and c.name_key = any($5)
         and c.name = any($2)
         and ${CAN_SEE}`,
    values: [author.realmId, names, author.userId, author.role, names.map(caseKey)],
  })
  return rows
}

/**
 * SQL: whether the author may read the message `m` of the channel `c`, which a link need not find if the author only
 * flagged it in the history; `s` is the author's subscription, active or not.
 */
const CAN_READ = allowsSql(messageRules.read, {
  ...channelColumns('c'),
  ...grantColumns('c', '$3'),
  isSubscribed: 'coalesce(s.is_active, false)',
  role: '$4::integer',
  isDirect: false,
  isReceived: 'coalesce(s.received @> m.id, false)',
  isHistorical: false,
})

/**
 * Finds the oldest message that the author may read of each of these topics; a topic without one is missing. Channels are
 * those that the author may know of, which doesn't mean reading them.
 */
export async function listStartedTopics(
  db: Queryable,
  author: Pick<Caller, 'userId' | 'role'>,
  topics: readonly { readonly channelId: number; readonly topic: string }[],
): Promise<StartedTopic[]> {
  const { rows } = await db.query<StartedTopic>({
    name: 'list-started-topics',
    text: `
      select linked.channel_id as "channelId", linked.topic, first_message.id as "firstMessageId"
        from unnest($1::bigint[], $2::text[], $5::text[]) as linked (channel_id, topic, topic_key)
        join channels c on c.id = linked.channel_id
        left join subscriptions s
          on s.channel_id = c.id
         and s.user_id = $3
       cross join lateral (
              select m.id
                from messages m
               where m.recipient_id = c.recipient_id
                 and m.topic_key = linked.topic_key
                 and ${CAN_READ}
               order by m.id
               limit 1) first_message`,
    values: [
      topics.map(({ channelId }) => channelId),
      topics.map(({ topic }) => topic),
      author.userId,
      author.role,
      topics.map(({ topic }) => caseKey(topic)),
    ],
  })
  return rows
}
