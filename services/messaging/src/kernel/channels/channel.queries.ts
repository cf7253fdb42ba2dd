import type { ChannelPermissionValues } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../text/case-key.ts'

/** A channel that is not archived. */
export interface Channel {
  readonly id: number
  readonly realmId: number
  /** Orders its messages. Lock that row to give a change a position among them. */
  readonly recipientId: number
  readonly name: string
  readonly inviteOnly: boolean
  readonly isWebPublic: boolean
  readonly historyPublicToSubscribers: boolean
  readonly permissions: ChannelPermissionValues
  readonly isDefault: boolean
}

export const CHANNEL_COLUMNS = `
  id, realm_id as "realmId", recipient_id as "recipientId", name, invite_only as "inviteOnly",
  is_web_public as "isWebPublic", history_public_to_subscribers as "historyPublicToSubscribers",
  permissions, is_default as "isDefault"`

/** Finds a channel by ID, unless it is archived. */
export async function findChannelById(
  db: Queryable,
  realmId: number,
  channelId: number,
): Promise<Channel | null> {
  const { rows } = await db.query<Channel>({
    name: 'find-channel-by-id',
    text: `
      select ${CHANNEL_COLUMNS}
        from channels
       where id = $2
         and realm_id = $1
         and not is_archived`,
    values: [realmId, channelId],
  })
  return rows[0] ?? null
}

/** Finds a channel by name, ignoring case. */
export async function findChannelByName(
  db: Queryable,
  realmId: number,
  name: string,
): Promise<Channel | null> {
  const { rows } = await db.query<Channel>({
    name: 'find-channel-by-name',
    text: `
      select ${CHANNEL_COLUMNS}
        from channels
       where realm_id = $1
         and name_key = $2
         and not is_archived`,
    values: [realmId, caseKey(name)],
  })
  return rows[0] ?? null
}

/** Finds channels by name, ignoring case; unknown ones are missing. */
export async function findChannelsByNames(
  db: Queryable,
  realmId: number,
  names: readonly string[],
): Promise<Channel[]> {
  const { rows } = await db.query<Channel>(
    `select ${CHANNEL_COLUMNS}
       from channels
      where realm_id = $1
        and name_key = any($2)
        and not is_archived`,
    [realmId, names.map(caseKey)],
  )
  return rows
}

/** Lists these channels in the order of their IDs, without archived ones. */
export async function listChannelsByIds(
  db: Queryable,
  realmId: number,
  channelIds: readonly number[],
): Promise<Channel[]> {
  const { rows } = await db.query<Channel>({
    name: 'list-channels-by-ids',
    text: `
      select ${CHANNEL_COLUMNS}
        from channels
       where id = any($2)
         and realm_id = $1
         and not is_archived
       order by id`,
    values: [realmId, channelIds],
  })
  return rows
}

/** Lists the channels that new users join. */
export async function listDefaultChannels(db: Queryable, realmId: number): Promise<Channel[]> {
  const { rows } = await db.query<Channel>({
    name: 'list-default-channels',
    text: `
      select ${CHANNEL_COLUMNS}
        from channels
       where realm_id = $1
         and is_default
         and not is_archived
       order by id`,
    values: [realmId],
  })
  return rows
}
