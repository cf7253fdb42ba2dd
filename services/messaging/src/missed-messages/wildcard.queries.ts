import type { Queryable, Tx } from '@tms/service-kit'

/** A message that mentions everyone or concerns many users otherwise, and up to which user it is decided. */
export interface Wildcard {
  readonly messageId: number
  readonly afterUserId: number
}

export async function addWildcards(
  tx: Tx,
  wildcards: readonly { messageId: number; realmId: number }[],
): Promise<void> {
  if (wildcards.length === 0) return
  await tx.query({
    name: 'add-missed-wildcards',
    text: `
      insert into missed_wildcards (message_id, realm_id)
      select * from unnest($1::bigint[], $2::bigint[])
          on conflict do nothing`,
    values: [wildcards.map(({ messageId }) => messageId), wildcards.map(({ realmId }) => realmId)],
  })
}

/** The oldest such message whose users aren't all decided; null if there is none. */
export async function findWildcard(db: Queryable): Promise<Wildcard | null> {
  const { rows } = await db.query<Wildcard>({
    name: 'find-missed-wildcard',
    text: `
      select message_id as "messageId", after_user_id as "afterUserId"
        from missed_wildcards
       order by message_id
       limit 1`,
  })
  return rows[0] ?? null
}

/** Records up to which user it is decided; null for all. False if another replica has done so meanwhile. */
export async function advanceWildcard(
  tx: Tx,
  { messageId, afterUserId }: Wildcard,
  lastUserId: number | null,
): Promise<boolean> {
  const { rows } = await tx.query({
    ...(lastUserId === null
      ? {
          name: 'end-missed-wildcard',
          text: `
            delete from missed_wildcards
             where message_id = $1 and after_user_id = $2
            returning message_id`,
        }
      : {
          name: 'advance-missed-wildcard',
          text: `
            update missed_wildcards set after_user_id = $3
             where message_id = $1 and after_user_id = $2
            returning message_id`,
        }),
    values: [messageId, afterUserId, ...(lastUserId === null ? [] : [lastUserId])],
  })
  return rows.length > 0
}
