import { createHash } from 'node:crypto'
import type { Announcement } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** An announcement as it is stored. */
export interface StoredAnnouncement {
  readonly subject: string
  readonly content: string
  readonly isMarkdown: boolean
}

/** SQL: accounts `a` of people in the organization `$1` whose role is at most `$2`. */
const PEOPLE = 'a.realm_id = $1 and a.role <= $2 and a.is_active and not a.is_bot'
/** SQL: those who have turned such mails off. */
const UNWILLING = `a.settings @> '{"enable_marketing_emails": false}'`

/** The ID of an announcement, which is stored if it is new. Mails that are not sent yet look as it says now. */
export async function ensureAnnouncement(
  tx: Queryable,
  { realm_id, subject, text, is_markdown }: Announcement,
  at: Date,
): Promise<number> {
  const hash = hashOf({ subject, text })
  await tx.query(
    `insert into announcements (realm_id, content_hash, subject, content, is_markdown, created_at)
     values ($1, $2, $3, $4, $5, $6)
         on conflict (realm_id, content_hash) do update set is_markdown = excluded.is_markdown
              where announcements.is_markdown <> excluded.is_markdown
     returning id`,
    [realm_id, hash, subject, text, is_markdown, at.toISOString()],
  )
  const id = await findAnnouncementId(tx, { realm_id, subject, text })
  if (id === null) throw new Error('the announcement is gone')
  return id
}

/** Null if it was never sent. */
export async function findAnnouncementId(
  db: Queryable,
  { realm_id, ...content }: Pick<Announcement, 'realm_id' | 'subject' | 'text'>,
): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    'select id from announcements where realm_id = $1 and content_hash = $2',
    [realm_id, hashOf(content)],
  )
  return rows[0]?.id ?? null
}

/** Null if it is gone with its organization. */
export async function findAnnouncement(db: Queryable, id: number): Promise<StoredAnnouncement | null> {
  const { rows } = await db.query<StoredAnnouncement>(
    'select subject, content, is_markdown as "isMarkdown" from announcements where id = $1',
    [id],
  )
  return rows[0] ?? null
}

/** How many people get an announcement, have it, or don't want it. Null stands for one that is new. */
export async function countRecipients(
  db: Queryable,
  { realmId, maxRole, announcementId }: RecipientFilter,
): Promise<{ readonly recipients: number; readonly earlier: number; readonly unwilling: number }> {
  const { rows } = await db.query<{ recipients: number; earlier: number; unwilling: number }>(
    `select count(*) filter (where not has_it and not is_unwilling)::int as recipients,
            count(*) filter (where has_it)::int as earlier,
            count(*) filter (where not has_it and is_unwilling)::int as unwilling
       from (select r.user_id is not null as has_it, ${UNWILLING} as is_unwilling
               from accounts a
               left join announcement_recipients r on r.announcement_id = $3::int and r.user_id = a.id
              where ${PEOPLE}) person`,
    [realmId, maxRole, announcementId],
  )
  return rows[0] ?? { recipients: 0, earlier: 0, unwilling: 0 }
}

interface RecipientFilter {
  readonly realmId: number
  readonly maxRole: number
  readonly announcementId: number | null
}

/** The next `limit` people after an ID who want such mails, by ID. */
export async function listRecipients(
  db: Queryable,
  {
    realmId,
    maxRole,
    after,
    limit,
  }: Omit<RecipientFilter, 'announcementId'> & { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select a.id
       from accounts a
      where ${PEOPLE}
        and a.id > $3
        and not ${UNWILLING}
      order by a.id
      limit $4`,
    [realmId, maxRole, after, limit],
  )
  return rows.map(({ id }) => id)
}

/** Records recipients, and returns those that it didn't have yet. */
export async function addRecipients(
  tx: Queryable,
  announcementId: number,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0) return []
  const { rows } = await tx.query<{ id: number }>(
    `insert into announcement_recipients (announcement_id, user_id)
     select $1, id
       from unnest($2::int[]) as id
      order by id
         on conflict do nothing
     returning user_id as id`,
    [announcementId, userIds],
  )
  return rows.map(({ id }) => id)
}

/** Forgets a user who doesn't get an announcement after all, so that it may be queued again. */
export async function forgetRecipient(db: Queryable, announcementId: number, userId: number): Promise<void> {
  await db.query('delete from announcement_recipients where announcement_id = $1 and user_id = $2', [
    announcementId,
    userId,
  ])
}

const hashOf = ({ subject, text }: Pick<Announcement, 'subject' | 'text'>): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([subject, text]))
    .digest()
