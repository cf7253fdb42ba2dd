import type { Queryable, Tx } from '@tms/service-kit'

/** A message on the devices of a user. */
export interface OnDevices {
  readonly userId: number
  readonly messageId: number
}

/** Records what was handed over, to be taken away again once it is read. */
export async function addPushedMessages(
  tx: Tx,
  pushed: readonly (OnDevices & { readonly realmId: number })[],
): Promise<void> {
  if (pushed.length === 0) return
  await tx.query({
    name: 'add-pushed-messages',
    text: `
      insert into pushed_messages (user_id, message_id, realm_id)
      select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])
          on conflict do nothing`,
    values: [
      pushed.map(({ userId }) => userId),
      pushed.map(({ messageId }) => messageId),
      pushed.map(({ realmId }) => realmId),
    ],
  })
}

/** Of each of these users, which messages are on their devices. */
export async function listPushedMessages(
  db: Queryable,
  userIds: readonly number[],
): Promise<Map<number, Set<number>>> {
  const { rows } = await db.query<{ userId: number; messageIds: number[] }>({
    name: 'list-pushed-messages',
    text: `
      select user_id as "userId", to_json(array_agg(message_id)) as "messageIds"
        from pushed_messages
       where user_id = any($1::bigint[])
       group by user_id`,
    values: [userIds],
  })
  return new Map(rows.map(({ userId, messageIds }) => [userId, new Set(messageIds)]))
}

/**
 * SQL: messages on devices that are no longer unread messages of their user: read, deleted, or out of reach. A user who is
 * not in the channel any more has read them.
 */
const OBSOLETE = `
  select p.user_id, p.message_id
    from page p
    left join messages m on m.id = p.message_id
    left join subscriptions s on s.channel_id = m.channel_id and s.user_id = p.user_id
    left join conversation_members c on m.channel_id is null and c.recipient_id = m.recipient_id
                                    and c.user_id = p.user_id
   where m.id is null
      or m.content = '(deleted)'
      or (m.channel_id is null and (c.user_id is null or c.read @> m.id))
      or (m.channel_id is not null
          and (not coalesce(s.is_active, false) or not s.received @> m.id or s.read @> m.id))`

/**
 * Of the next `limit` messages on devices after `after`, or of those of the given users, deletes the ones that are no
 * longer unread and adds a notice for each user that takes them away, at most the newest 200. Returns the last message
 * of the page, null if it was the last page, and how many were deleted.
 */
export async function takeAwayObsolete(
  tx: Tx,
  page: { readonly after: OnDevices; readonly limit: number } | { readonly userIds: readonly number[] },
): Promise<{ readonly last: OnDevices | null; readonly count: number }> {
  const isPage = 'after' in page
  const { rows } = await tx.query<{ last: OnDevices | null; count: number }>({
    name: isPage ? 'take-away-obsolete' : 'take-away-obsolete-of-users',
    text: `
      with page as materialized (
        select user_id, message_id
          from pushed_messages
         where ${isPage ? '(user_id, message_id) > ($1, $2)' : 'user_id = any($1::bigint[])'}
         order by user_id, message_id
         ${isPage ? 'limit $3' : ''}
      ), deleted as (
        delete from pushed_messages
         where (user_id, message_id) in (${OBSOLETE})
        returning user_id, message_id, realm_id
      ), added as (
        insert into push_notices (realm_id, user_id, message_ids)
        select realm_id, user_id, (array_agg(message_id order by message_id desc))[:200]
          from deleted
         group by realm_id, user_id
      )
      select (select count(*) from deleted) as count,
             ${
               isPage
                 ? `(select json_build_object('userId', user_id, 'messageId', message_id)
                       from page
                      order by user_id desc, message_id desc
                      offset 0 limit case when (select count(*) from page) = $3 then 1 else 0 end)`
                 : 'null'
             } as last`,
    values: isPage ? [page.after.userId, page.after.messageId, page.limit] : [page.userIds],
  })
  return rows[0] ?? { last: null, count: 0 }
}

/** Forgets what has been on devices for so long that nobody would miss its removal. */
export async function forgetOldPushedMessages(db: Queryable): Promise<void> {
  await db.query({
    name: 'forget-old-pushed-messages',
    text: `delete from pushed_messages where pushed_at < now() - interval '7 days'`,
  })
}

/** Of messages that go to devices, those that are still unread messages of their user, as HTML. */
export async function listUnreadContents(
  db: Queryable,
  messages: readonly OnDevices[],
): Promise<(OnDevices & { readonly html: string })[]> {
  const { rows } = await db.query<OnDevices & { html: string }>({
    name: 'list-unread-contents',
    text: `
      with page as materialized (
        select * from unnest($1::bigint[], $2::bigint[]) as asked (user_id, message_id)
      ), unread as (
        select user_id, message_id from page
        except
        (${OBSOLETE})
      )
      select u.user_id as "userId", u.message_id as "messageId", m.rendered_content as html
        from unread u
        join messages m on m.id = u.message_id`,
    values: [messages.map(({ userId }) => userId), messages.map(({ messageId }) => messageId)],
  })
  return rows
}
