import type { MessagingRecord } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { PERMISSIONS } from '../kernel/channels/channel.queries.ts'
import type { GrantingChannel } from '../kernel/grantees/refresh-grantees.ts'
import type { RecordKind } from './record-kind.ts'

/** Whether messaging has any data of an organization. */
export async function hasRecords(db: Queryable, realmId: number): Promise<boolean> {
  const { rows } = await db.query<{ hasAny: boolean }>(
    `select exists (select from recipients where realm_id = $1)
         or exists (select from attachments where realm_id = $1)
         or exists (select from scheduled_messages where realm_id = $1) as "hasAny"`,
    [realmId],
  )
  return rows[0]?.hasAny ?? false
}

/**
 * Stores records of one kind. Returns the index of the first record that doesn't belong to the organization, which is
 * not stored; null if all do. Throws PostgreSQL's error for a record that can't be stored.
 */
export async function storeRecords(
  tx: Tx,
  realmId: number,
  { kind, columns, belongsToRealm, store }: RecordKind,
  records: readonly (Omit<MessagingRecord, 'kind'> & Record<string, unknown>)[],
): Promise<number | null> {
  const { rows } = await tx.query<{ ordinal: number }>({
    name: `store-imported-${kind}`,
    text: `
      with imported as materialized (
        select * from json_to_recordset($2) as imported (ordinal integer, ${columns})
      ), valid as materialized (
        select *
          from imported
         where ${belongsToRealm}
      ), ${store}
      select ordinal
        from imported
       where ordinal not in (select ordinal from valid)
       order by ordinal
       limit 1`,
    values: [realmId, JSON.stringify(records.map((record, ordinal) => ({ ordinal, ...record })))],
  })
  return rows[0]?.ordinal ?? null
}

/** Computes the total size of an organization's files. */
export async function sumUploadSpace(tx: Tx, realmId: number): Promise<void> {
  await tx.query(
    `insert into upload_space (realm_id, bytes)
     select $1, sum(size)
       from attachments
      where realm_id = $1
     having count(*) > 0`,
    [realmId],
  )
}

/** The private channels of an organization, archived ones too. */
export async function listPrivateChannels(db: Queryable, realmId: number): Promise<GrantingChannel[]> {
  const { rows } = await db.query<GrantingChannel>({
    name: 'list-private-channels',
    text: `
      select id, realm_id as "realmId", invite_only as "inviteOnly", ${PERMISSIONS} as permissions
        from channels
       where realm_id = $1
         and invite_only
       order by id`,
    values: [realmId],
  })
  return rows
}
