import type { NotificationTrigger, PushTrigger } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'

/** A user who was active when a message came, and is to be notified if they had just left. */
export interface Postponed {
  readonly realmId: number
  readonly userId: number
  readonly messageId: number
  readonly mail: NotificationTrigger | null
  readonly push: PushTrigger | null
}

/** One whose time has come. */
export interface DuePostponed extends Postponed {
  readonly id: number
  /** Seconds since the epoch. */
  readonly postponedAt: number
}

/** Has users looked at again after so many seconds. */
export async function addPostponed(
  tx: Tx,
  postponed: readonly Postponed[],
  delaySeconds: number,
): Promise<void> {
  if (postponed.length === 0) return
  await tx.query({
    name: 'add-postponed-notifications',
    text: `
      insert into postponed_notifications (realm_id, user_id, message_id, mail_trigger, push_trigger, decide_at)
      select *, now() + $6 * interval '1 second'
        from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])`,
    values: [
      postponed.map(({ realmId }) => realmId),
      postponed.map(({ userId }) => userId),
      postponed.map(({ messageId }) => messageId),
      postponed.map(({ mail }) => mail),
      postponed.map(({ push }) => push),
      delaySeconds,
    ],
  })
}

/** Those that are due, at most `limit`, the oldest first. */
export async function listDuePostponed(db: Queryable, limit: number): Promise<DuePostponed[]> {
  const { rows } = await db.query<DuePostponed>({
    name: 'list-due-postponed-notifications',
    text: `
      select id, realm_id as "realmId", user_id as "userId", message_id as "messageId", mail_trigger as mail,
             push_trigger as push, extract(epoch from postponed_at)::float8 as "postponedAt"
        from postponed_notifications
       where decide_at <= now()
       order by decide_at
       limit $1`,
    values: [limit],
  })
  return rows
}

/** Deletes those that are decided; false if another replica has deleted any of them. */
export async function deletePostponed(tx: Tx, ids: readonly number[]): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'delete-postponed-notifications',
    text: 'delete from postponed_notifications where id = any($1::bigint[]) returning id',
    values: [ids],
  })
  return rows.length === ids.length
}
