import { type ChannelPermissionValues, defaultChannelPermissions } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../text/case-key.ts'
import { isArchivedName } from './archived-name.rules.ts'

/** A channel; it is not archived unless a function says so. */
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
  readonly isArchived: boolean
}

/** SQL: the permissions of a channel. Those that are missing were unknown to the release that created it. */
export const PERMISSIONS = `'${JSON.stringify(defaultChannelPermissions)}'::jsonb || permissions`

export const CHANNEL_COLUMNS = `
  id, realm_id as "realmId", recipient_id as "recipientId", name, invite_only as "inviteOnly",
  is_web_public as "isWebPublic", history_public_to_subscribers as "historyPublicToSubscribers",
  ${PERMISSIONS} as permissions, is_default as "isDefault", is_archived as "isArchived"`

/** Lists the channels of `$1`, an organization, that meet a condition and aren't archived, in the order of their IDs. */
async function listWhere(
  db: Queryable,
  { name, condition }: { readonly name: string; readonly condition: string },
  values: [realmId: number, ...others: unknown[]],
): Promise<Channel[]> {
  const { rows } = await db.query<Channel>({
    name,
    text: `
      select ${CHANNEL_COLUMNS}
        from channels
       where realm_id = $1
         and ${condition}
         and not is_archived
       order by id`,
    values,
  })
  return rows
}

/** Finds a channel by ID, unless it is archived. */
export async function findChannelById(
  db: Queryable,
  realmId: number,
  channelId: number,
): Promise<Channel | null> {
  const query = { name: 'find-channel-by-id', condition: 'id = $2' }
  return (await listWhere(db, query, [realmId, channelId]))[0] ?? null
}

/** Finds a channel by name, ignoring case. */
export async function findChannelByName(
  db: Queryable,
  realmId: number,
  name: string,
): Promise<Channel | null> {
  const query = { name: 'find-channel-by-name', condition: 'name_key = $2' }
  return (await listWhere(db, query, [realmId, caseKey(name)]))[0] ?? null
}

/** Finds a channel by ID, archived or not. */
export async function findArchivedOrLive(
  db: Queryable,
  realmId: number,
  channelId: number,
): Promise<Channel | null> {
  const { rows } = await db.query<Channel>(
    `select ${CHANNEL_COLUMNS} from channels where id = $2 and realm_id = $1`,
    [realmId, channelId],
  )
  return rows[0] ?? null
}

/**
 * Finds channels by name, ignoring case, and archived ones by exactly the names that they have since; unknown ones are
 * missing.
 */
export async function findChannelsByNames(
  db: Queryable,
  realmId: number,
  names: readonly string[],
): Promise<Channel[]> {
  const query = { name: 'find-channels-by-names', condition: 'name_key = any($2)' }
  const rows = await listWhere(db, query, [realmId, names.map(caseKey)])
  const known = new Set(rows.map(({ name }) => caseKey(name)))
  const archived = names.filter((name) => isArchivedName(name) && !known.has(caseKey(name)))
  return archived.length === 0 ? rows : [...rows, ...(await findArchived(db, realmId, archived))]
}

async function findArchived(db: Queryable, realmId: number, names: readonly string[]): Promise<Channel[]> {
  const { rows } = await db.query<Channel>(
    `select ${CHANNEL_COLUMNS}
       from channels
      where realm_id = $1
        and is_archived
        and name = any($2)`,
    [realmId, names],
  )
  return rows
}

/** Lists these channels in the order of their IDs, without archived ones. */
export function listChannelsByIds(
  db: Queryable,
  realmId: number,
  channelIds: readonly number[],
): Promise<Channel[]> {
  return listWhere(db, { name: 'list-channels-by-ids', condition: 'id = any($2)' }, [realmId, channelIds])
}

/** Lists the IDs of the channels that new users join, ascending. */
export async function listDefaultChannelIds(db: Queryable, realmId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    'select id from channels where realm_id = $1 and is_default and not is_archived order by id',
    [realmId],
  )
  return rows.map(({ id }) => id)
}

/** Lists the channels that new users join. */
export function listDefaultChannels(db: Queryable, realmId: number): Promise<Channel[]> {
  return listWhere(db, { name: 'list-default-channels', condition: 'is_default' }, [realmId])
}
