import type { Queryable, Tx } from '@tms/service-kit'

/** Whose links are meant: messages, or scheduled messages. */
export type Linking = 'message' | 'scheduled message'

const TABLES = {
  message: { table: 'attachment_messages', column: 'message_id' },
  'scheduled message': { table: 'attachment_scheduled_messages', column: 'scheduled_message_id' },
} as const

/** Says that a message links files. Needs their locks. */
export async function addLinks(
  tx: Tx,
  linking: Linking,
  messageId: number,
  fileIds: readonly number[],
): Promise<void> {
  const { table, column } = TABLES[linking]
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
  linking: Linking,
  messageIds: readonly number[],
): Promise<{ id: number; pathId: string }[]> {
  const { table, column } = TABLES[linking]
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

/** Says that these messages no longer link these files. Needs the files' locks. */
export async function removeLinks(
  tx: Tx,
  linking: Linking,
  messageIds: readonly number[],
  fileIds: readonly number[],
): Promise<void> {
  const { table, column } = TABLES[linking]
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

/** Those of these files that nothing links. Needs their locks. */
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

/** Begins the time after which those of these files that nothing links are deleted. Needs their locks. */
export async function markUnused(tx: Tx, fileIds: readonly number[], now: Date): Promise<void> {
  await tx.query(
    `update attachments
        set unused_since = $2
      where id = any($1::bigint[])
        and unused_since is null
        and ${HAS_NO_LINK}`,
    [fileIds, now],
  )
}
