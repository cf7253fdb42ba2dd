import type { Queryable } from '@tms/service-kit'
import { IS_SUBSCRIBER } from '../kernel/subscriptions/subscription.queries.ts'

/** Whether the owner of a bot wasn't notified within the last minute. */
export async function isOwnerNoticeDue(db: Queryable, botId: number): Promise<boolean> {
  const { rows } = await db.query({
    name: 'is-webhook-owner-notice-due',
    text: `
      select 1
        from webhook_failure_notices
       where bot_id = $1
         and notified_at >= now() - interval '1 minute'`,
    values: [botId],
  })
  return rows.length === 0
}

/** Notes that the owner of a bot is notified now; false if that happened within the last minute. */
export async function beginOwnerNotice(
  db: Queryable,
  { realmId, botId }: { readonly realmId: number; readonly botId: number },
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'begin-webhook-owner-notice',
    text: `
      insert into webhook_failure_notices (bot_id, realm_id, notified_at)
      values ($1, $2, now())
          on conflict (bot_id) do update
         set notified_at = excluded.notified_at
       where webhook_failure_notices.notified_at < now() - interval '1 minute'
      returning bot_id`,
    values: [botId, realmId],
  })
  return rows.length > 0
}

/** Names of the channels of these messages to which nobody but the bot is subscribed. */
export async function listChannelsWithoutReaders(
  db: Queryable,
  { messageIds, botId }: { readonly messageIds: readonly number[]; readonly botId: number },
): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    name: 'list-channels-without-readers',
    text: `
      select distinct channels.name
        from messages
        join channels on channels.recipient_id = messages.recipient_id
       where messages.id = any ($1)
         and not exists (select
                           from subscriptions
                          where channel_id = channels.id
                            and user_id <> $2
                            and ${IS_SUBSCRIBER})
       order by channels.name`,
    values: [messageIds, botId],
  })
  return rows.map(({ name }) => name)
}
