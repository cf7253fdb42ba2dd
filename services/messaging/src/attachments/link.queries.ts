import type { Queryable, Tx } from '@tms/service-kit'

/** What links files: messages, or scheduled messages. */
export type LinkSource = 'message' | 'scheduled message'

const TABLES = {
  message: { table: 'attachment_messages', column: 'message_id' },
  'scheduled message': { table: 'attachment_scheduled_messages', column: 'scheduled_message_id' },
} as const

/** Adds links from a message to files. Needs the files' locks. */
export async function addLinks(
  tx: Tx,
  source: LinkSource,
  messageId: number,
  fileIds: readonly number[],
): Promise<void> {
  const { table, column } = TABLES[source]
  await tx.query(
    `with used as (
       update attachments
          set unused_since = null
        where id = any($2::bigint[])
          and unused_since is not null
     )
     insert into ${table} (attachment_id, ${column})
     select file_id, $1
       from unnest($2::bigint[]) as linked (file_id)
         on conflict do nothing`,
    [messageId, fileIds],
  )
}

/** The files that any of these messages links. */
export async function listLinkedFiles(
  db: Queryable,
  source: LinkSource,
  messageIds: readonly number[],
): Promise<{ id: number; pathId: string }[]> {
  const { table, column } = TABLES[source]
  const { rows } = await db.query<{ id: number; pathId: string }>({
    name: `list-files-of-${table}`,
    text: `
      select id, path_id as "pathId"
        from attachments
       where id in (select attachment_id
                      from ${table}
                     where ${column} = any($1::bigint[]))
       order by id`,
    values: [messageIds],
  })
  return rows
}

/** Removes links from these messages to these files. Needs the files' locks. */
export async function removeLinks(
  tx: Tx,
  source: LinkSource,
  messageIds: readonly number[],
  fileIds: readonly number[],
): Promise<void> {
  const { table, column } = TABLES[source]
  await tx.query(
    `delete from ${table}
      where ${column} = any($1::bigint[])
        and attachment_id = any($2::bigint[])`,
    [messageIds, fileIds],
  )
}

const HAS_NO_LINK = `
  not exists (select from attachment_messages l where l.attachment_id = attachments.id)
    and not exists (select from attachment_scheduled_messages l where l.attachment_id = attachments.id)`

/** Those of these files that have no link. Needs their locks. */
export async function listUnlinked(tx: Tx, fileIds: readonly number[]): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `select id
       from attachments
      where id = any($1::bigint[])
        and ${HAS_NO_LINK}`,
    [fileIds],
  )
  return rows.map(({ id }) => id)
}

/**
 * Marks those of these files that have no link as unused from now on, and returns them; they are deleted some weeks
 * later. Needs their locks.
 */
export async function markUnused(tx: Tx, fileIds: readonly number[], now: Date): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `update attachments
        set unused_since = $2
      where id = any($1::bigint[])
        and unused_since is null
        and ${HAS_NO_LINK}
      returning id`,
    [fileIds, now],
  )
  return rows.map(({ id }) => id)
}
