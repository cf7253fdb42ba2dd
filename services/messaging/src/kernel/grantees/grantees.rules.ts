import {
  type ChannelGrantees,
  type ChannelPermission,
  type ChannelPermissionValues,
  groupSettingParts,
  Role,
  systemGroupIds,
} from '@tms/contracts'
import { roleBoundsOf } from '../groups/role-bounds.rules.ts'
import type { Grantees, NamedGrantees } from './grantees.queries.ts'

/** The permissions that let somebody see a private channel, and whether they let them read it too. */
const GRANTING: Readonly<Partial<Record<ChannelPermission, boolean>>> = {
  can_add_subscribers_group: true,
  can_administer_channel_group: false,
  can_subscribe_group: true,
}
export const grantingPermissions = Object.keys(GRANTING) as ChannelPermission[]

/** The users and groups that the permissions of a private channel name. */
export function namedGrantees(permissions: ChannelPermissionValues): NamedGrantees {
  const named = grantingPermissions.map((name) => ({
    ...groupSettingParts(permissions[name]),
    isReader: GRANTING[name] ?? false,
  }))
  return {
    users: named.flatMap(({ direct_members, isReader }) =>
      direct_members.map((id): [number, boolean] => [id, isReader]),
    ),
    groups: named.flatMap(({ direct_subgroups, isReader }) =>
      direct_subgroups.map((id): [number, boolean] => [id, isReader]),
    ),
  }
}

/** Where nobody waits, members are full members. */
const widened = (groupId: number, waitingPeriodDays: number): number =>
  groupId === systemGroupIds['role:fullmembers'] && waitingPeriodDays === 0
    ? systemGroupIds['role:members']
    : groupId

/** The weakest roles of these system groups that see and read; 0 for none. Guests never do. */
export function grantedRoles(
  groups: readonly (readonly [groupId: number, isReader: boolean])[],
  realm: { readonly waiting_period_threshold: number },
): Omit<Grantees, 'users'> {
  const roleOf = (of: typeof groups): number => {
    const ids = of.map(([id]) => widened(id, realm.waiting_period_threshold))
    return Math.min(Role.member, roleBoundsOf(ids, realm, new Date(0)).roleAtMost)
  }
  return {
    viewerRole: roleOf(groups),
    readerRole: roleOf(groups.filter(([, isReader]) => isReader)),
    admitsFullMembers: groups.some(([id]) => id === systemGroupIds['role:fullmembers']),
  }
}

/** Whether two are the same. */
export function isSameGrantees(one: Grantees, other: Grantees): boolean {
  return (
    one.viewerRole === other.viewerRole &&
    one.readerRole === other.readerRole &&
    one.admitsFullMembers === other.admitsFullMembers &&
    one.users.size === other.users.size &&
    [...one.users].every(([userId, isReader]) => other.users.get(userId) === isReader)
  )
}

/** Whether somebody reads a channel no longer. */
export function withdrawsReading(before: Grantees, after: Grantees): boolean {
  return (
    before.readerRole > after.readerRole ||
    [...before.users].some(([userId, isReader]) => isReader && !after.users.get(userId))
  )
}

/** The viewers of a channel, as events contain them; undefined for none. */
export function toViewers({ viewerRole, users }: Grantees): ChannelGrantees | undefined {
  if (viewerRole === 0 && users.size === 0) return undefined
  return { role_at_most: viewerRole, user_ids: [...users.keys()].sort((a, b) => a - b) }
}

/**
 * The viewers before and after a change of nothing else, without those who are the same. If the role differs, all of them: a
 * listed user may see the channel by the role now. Null if nobody gains or loses anything.
 */
export function changedViewers(
  before: Grantees,
  after: Grantees,
): {
  readonly viewers_before: ChannelGrantees | undefined
  readonly viewers: ChannelGrantees | undefined
} | null {
  if (before.viewerRole !== after.viewerRole)
    return { viewers_before: toViewers(before), viewers: toViewers(after) }
  const [lost, gained] = [without(before, after), without(after, before)]
  if (lost.users.size === 0 && gained.users.size === 0) return null
  return { viewers_before: toViewers(lost), viewers: toViewers(gained) }
}

const without = (one: Grantees, other: Grantees): Grantees => ({
  ...one,
  users: new Map([...one.users].filter(([userId]) => !other.users.has(userId))),
})
