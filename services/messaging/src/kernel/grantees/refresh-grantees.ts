import type { ChannelPermissionValues } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { findKnownRealm } from '../projections/known-user.queries.ts'
import { findGrantees, findNamed, type Grantees, NO_GRANTEES, saveGrantees } from './grantees.queries.ts'
import { grantedRoles, isSameGrantees, namedGrantees, withdrawsReading } from './grantees.rules.ts'

/** A channel whose permissions decide who sees it. */
export interface GrantingChannel {
  readonly id: number
  readonly realmId: number
  readonly inviteOnly: boolean
  readonly permissions: ChannelPermissionValues
}

const DAY_SECONDS = 86_400

/** Who sees a channel by its permissions and the groups of now. */
async function computeGrantees(
  db: Queryable,
  { realmId, inviteOnly, permissions }: GrantingChannel,
): Promise<Grantees> {
  // A public channel is seen without them.
  if (!inviteOnly) return NO_GRANTEES
  const { waiting_period_threshold = 0 } = (await findKnownRealm(db, realmId)) ?? {}
  const scope = { realmId, waitSeconds: waiting_period_threshold * DAY_SECONDS }
  const { users, systemGroups } = await findNamed(db, scope, namedGrantees(permissions))
  return { ...grantedRoles(systemGroups, { waiting_period_threshold }), users }
}

/** Who sees a channel by a permission, before and after a change. */
export interface GranteesChange {
  readonly channelId: number
  readonly before: Grantees
  readonly after: Grantees
}

/** Compares who is stored as seeing a channel by its permissions with who does now; null if they are the same. */
export async function findGranteesChange(
  db: Queryable,
  channel: GrantingChannel,
): Promise<GranteesChange | null> {
  const before = await findGrantees(db, channel.id)
  const after = await computeGrantees(db, channel)
  return isSameGrantees(before, after) ? null : { channelId: channel.id, before, after }
}

/**
 * Stores who sees a channel by its permissions, and returns the change; null if there is none. Needs the lock of the channel, and
 * those of channel grants and visibility before it: otherwise a change of a group may miss the channel.
 */
export async function refreshGrantees(tx: Tx, channel: GrantingChannel): Promise<GranteesChange | null> {
  const change = await findGranteesChange(tx, channel)
  if (change) await saveChange(tx, change)
  return change
}

/** Stores a change. Needs the same locks. */
export async function saveChange(tx: Tx, { channelId, before, after }: GranteesChange): Promise<void> {
  await saveGrantees(tx, channelId, after, withdrawsReading(before, after))
}
