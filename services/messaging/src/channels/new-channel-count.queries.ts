import type { Tx } from '@tms/service-kit'

/**
 * Counts the channels that a user has created within a day and that are not archived. The count can't change until
 * the transaction ends. Call it before taking any lock. It scans all channels of the organization by the index of
 * names.
 */
export async function lockNewChannelCount(
  tx: Tx,
  { realmId, userId }: { readonly realmId: number; readonly userId: number },
): Promise<number> {
  await tx.query({
    name: 'lock-new-channel-count',
    text: `select pg_advisory_xact_lock(hashtextextended('new channels of ' || $1::bigint, 0))`,
    values: [userId],
  })
  const { rows } = await tx.query<{ count: number }>({
    name: 'count-new-channels',
    text: `
      select count(*) as count
        from channels
       where realm_id = $1
         and creator_id = $2
         and created_at > now() - interval '1 day'
         and not is_archived`,
    values: [realmId, userId],
  })
  return rows[0]?.count ?? 0
}
