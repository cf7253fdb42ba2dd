import type { Queryable } from '@tms/service-kit'

/** The channels of messages of the organization, by their IDs; null of a direct message. Others are missing. */
export async function listChannelsOf(
  db: Queryable,
  realmId: number,
  messageIds: readonly number[],
): Promise<Map<number, number | null>> {
  const { rows } = await db.query<{ id: number; channelId: number | null }>({
    name: 'list-channels-of-messages',
    text: 'select id, channel_id as "channelId" from messages where id = any($2) and realm_id = $1',
    values: [realmId, messageIds],
  })
  return new Map(rows.map(({ id, channelId }) => [id, channelId]))
}
