import type { Queryable } from '@tms/service-kit'
import { grantColumns } from '../kernel/access/access.queries.ts'

/** The fields that decide whether a user may flag a message. */
export interface FlaggableMessage {
  readonly id: number
  readonly recipientId: number
  readonly isReceived: boolean
  /** The user has a row of flags for it, which says that it was not received. */
  readonly isHistorical: boolean
  /** Null for a direct message. */
  readonly channel: {
    readonly id: number
    readonly inviteOnly: boolean
    readonly isWebPublic: boolean
    readonly historyPublicToSubscribers: boolean
    readonly isArchived: boolean
    readonly isSubscribed: boolean
    readonly isReader: boolean
  } | null
}

/** Lists those of these messages that exist in the organization, in order. */
export async function listFlaggable(
  db: Queryable,
  user: { realmId: number; userId: number },
  messageIds: readonly number[],
): Promise<FlaggableMessage[]> {
  const { rows } = await db.query<FlaggableMessage>({
    name: 'list-flaggable',
    text: `
      select m.id, m.recipient_id as "recipientId",
             case when m.channel_id is null then j.user_id is not null
                  else coalesce(s.received @> m.id, false)
             end as "isReceived",
             coalesce(f.is_historical, false) as "isHistorical",
             case when c.id is not null then json_build_object(
               'id', c.id, 'inviteOnly', c.invite_only, 'isWebPublic', c.is_web_public,
               'historyPublicToSubscribers', c.history_public_to_subscribers,
               'isArchived', c.is_archived, 'isSubscribed', coalesce(s.is_active, false),
               'isReader', ${grantColumns('c', '$2').isReader}) end as channel
        from messages m
        left join channels c on c.id = m.channel_id
        left join subscriptions s on s.channel_id = m.channel_id and s.user_id = $2
        left join conversation_members j on j.recipient_id = m.recipient_id and j.user_id = $2
        left join message_flags f on f.message_id = m.id and f.user_id = $2
       where m.id = any($3::bigint[])
         and m.realm_id = $1
       order by m.id`,
    values: [user.realmId, user.userId, messageIds],
  })
  return rows
}
