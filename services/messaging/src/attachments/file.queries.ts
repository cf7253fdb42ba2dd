import { fileRules, Role } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { grantColumns } from '../kernel/access/access.queries.ts'
import { refusesSql } from '../kernel/access/access-sql.ts'
import type { FileAccess } from '../kernel/access/file.rules.ts'
import { locks } from '../kernel/locks/locks.ts'
import type { PictureDimensions } from '../pictures/measure-picture.ts'

/** A file, and the reader's access to it. */
export interface StoredFile extends FileAccess {
  readonly id: number
  readonly realmId: number
  readonly pathId: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Pixels, of a picture; null where they aren't known. */
  readonly width: number | null
  readonly height: number | null
}

/** The reader of a file; both are null for anyone on the web. */
interface FileReader {
  readonly userId: number | null
  readonly role: number | null
}

/** SQL: whether it takes more to read a file than a message in a public channel. */
const PUBLIC_IS_TOO_LITTLE = refusesSql(fileRules.read, {
  isInWebPublicChannel: false,
  isInPublicChannel: true,
  isOwner: false,
  isReceived: false,
  isInSharedHistory: false,
  role: '$3::integer',
})

/** SQL: whether a reader may read a file only if they received one of its messages, or one is in a shared history. */
const IS_UNDECIDED = refusesSql(fileRules.read, {
  isInWebPublicChannel: 'is_web_public',
  isInPublicChannel: 'is_public',
  isOwner: 'is_owner',
  isReceived: false,
  isInSharedHistory: false,
  role: '$3::integer',
})

/** SQL: whether a permission lets a reader read the private channel `c`. */
const IS_READER = grantColumns('c', '$2').isReader

/**
 * The files with these path IDs, with the reader's access to them; unknown ones are left out. Checks grounds for
 * access from the cheapest on and stops at the first that holds: the flags after it are false. Each check ends with
 * the first matching message, by the key of `attachment_messages`, since any number of messages may link a file.
 */
export async function listFiles(
  db: Queryable,
  pathIds: readonly string[],
  { userId, role }: FileReader,
): Promise<StoredFile[]> {
  const { rows } = await db.query<StoredFile>({
    name: 'list-files',
    text: `
      with found as materialized (
        select a.*, coalesce(a.owner_id = $2, false) as is_owner
          from attachments a
         where a.path_id = any($1::text[])
      ), entered as materialized (
        select *,
               case when not is_owner then
                 exists (select
                           from attachment_messages l
                           join messages m on m.id = l.message_id
                           join channels c on c.id = m.channel_id
                          where l.attachment_id = found.id
                            and not c.invite_only)
               else false end as is_public
          from found
      ), opened as materialized (
        select *,
               case when is_public and ${PUBLIC_IS_TOO_LITTLE} then
                 exists (select
                           from attachment_messages l
                           join messages m on m.id = l.message_id
                           join channels c on c.id = m.channel_id
                          where l.attachment_id = entered.id
                            and c.is_web_public
                            and (not c.is_archived or $2::bigint is not null))
               else false end as is_web_public
          from entered
      ), undecided as materialized (
        select *, $2::bigint is not null and ${IS_UNDECIDED} as is_undecided
          from opened
      ), received as materialized (
        select *,
               case when is_undecided then
                 exists (select
                           from attachment_messages l
                           join messages m on m.id = l.message_id
                           left join subscriptions s on s.channel_id = m.channel_id and s.user_id = $2
                           left join conversation_members j
                             on j.recipient_id = m.recipient_id and j.user_id = $2
                           left join message_flags f on f.message_id = m.id and f.user_id = $2
                          where l.attachment_id = undecided.id
                            and (s.received @> m.id or j.user_id is not null or f.user_id is not null))
               else false end as is_received
          from undecided
      )
      select id, realm_id as "realmId", path_id as "pathId", content_type as "contentType", size, width, height,
             is_owner as "isOwner", is_public as "isInPublicChannel", is_web_public as "isInWebPublicChannel",
             is_received as "isReceived",
             case when is_undecided and not is_received then
               exists (select
                         from attachment_messages l
                         join messages m on m.id = l.message_id
                         join channels c on c.id = m.channel_id
                         left join subscriptions s on s.channel_id = m.channel_id and s.user_id = $2
                        where l.attachment_id = received.id
                          and c.history_public_to_subscribers
                          and (s.is_active or s.is_in_archive or ($3::integer <= ${Role.member} and ${IS_READER})))
             else false end as "isInSharedHistory"
        from received
       order by id`,
    values: [pathIds, userId, role],
  })
  return rows
}

/** A file that has just been stored. */
export interface NewFile {
  readonly realmId: number
  readonly ownerId: number
  readonly pathId: string
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Of a picture, if they are known. */
  readonly dimensions: PictureDimensions | null
}

/** Adds a file without links, and returns its ID. */
export async function insertFile(tx: Tx, file: NewFile): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into attachments (realm_id, owner_id, path_id, name, content_type, size, width, height)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     returning id`,
    [
      file.realmId,
      file.ownerId,
      file.pathId,
      file.name,
      file.contentType,
      file.size,
      file.dimensions?.width ?? null,
      file.dimensions?.height ?? null,
    ],
  )
  const [row] = rows
  if (!row) throw new Error('insert returned no row')
  return row.id
}

/**
 * Locks files, lowest ID first, so that two changes never wait for each other, and so that their links stay as they
 * are until the transaction ends.
 */
export async function lockFiles(tx: Tx, fileIds: readonly number[]): Promise<void> {
  tx.lockRecord.add(locks.files, fileIds)
  await tx.query({
    name: 'lock-files',
    text: `
      select
        from attachments
       where id = any($1::bigint[])
       order by id
         for update`,
    values: [fileIds],
  })
}

/** Locks a realm's files with these path IDs, lowest ID first. */
export async function lockFilesByPathId(tx: Tx, realmId: number, pathIds: readonly string[]): Promise<void> {
  tx.lockRecord.add(locks.files, pathIds)
  await tx.query({
    name: 'lock-files-by-path-id',
    text: `
      select
        from attachments
       where realm_id = $1
         and path_id = any($2::text[])
       order by id
         for update`,
    values: [realmId, pathIds],
  })
}

/** Locks a file of this owner; false if they have none with this ID. */
export async function lockOwnFile(tx: Tx, ownerId: number, fileId: number): Promise<boolean> {
  tx.lockRecord.add(locks.files, [fileId])
  const { rows } = await tx.query(
    `select
       from attachments
      where id = $1
        and owner_id = $2
        for update`,
    [fileId, ownerId],
  )
  return rows.length > 0
}

/**
 * Locks files that have had no link since then. Skips files that another transaction has locked, and those of
 * organizations that aren't active yet.
 */
export async function lockUnusedFiles(tx: Tx, unusedSince: Date, limit: number): Promise<number[]> {
  tx.lockRecord.add(locks.files)
  const { rows } = await tx.query<{ id: number }>(
    `select id
       from attachments
      where unused_since < $1
        and realm_id not in (select realm_id from pending_imports)
      order by unused_since
      limit $2
        for update skip locked`,
    [unusedSince, limit],
  )
  return rows.map(({ id }) => id)
}

export interface DeletedFile {
  readonly id: number
  readonly realmId: number
  readonly ownerId: number
  readonly pathId: string
  readonly size: number
}

/** Deletes files and their links. Needs their locks. */
export async function deleteFileRows(tx: Tx, fileIds: readonly number[]): Promise<DeletedFile[]> {
  await tx.query('delete from attachment_messages where attachment_id = any($1::bigint[])', [fileIds])
  await tx.query('delete from attachment_scheduled_messages where attachment_id = any($1::bigint[])', [
    fileIds,
  ])
  const { rows } = await tx.query<DeletedFile>(
    `delete from attachments
      where id = any($1::bigint[])
     returning id, realm_id as "realmId", owner_id as "ownerId", path_id as "pathId", size`,
    [fileIds],
  )
  return rows
}
