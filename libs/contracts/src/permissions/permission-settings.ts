import { AppError, badRequest } from '../declarations/errors.ts'
import {
  canonicalGroupSetting,
  type GroupSettingChange,
  type GroupSettingValue,
  groupSettingParts,
  isSameGroupSetting,
  readGroupSettingChange,
} from './group-setting-value.ts'
import type { PolicySubject } from './policies.ts'
import { Role } from './role.ts'
import { isCustomGroup, isInSystemGroup, type SystemGroupName, systemGroupIds } from './system-groups.ts'

/** A permission that is given by a group-setting value. */
export interface PermissionSetting {
  /** Who has it unless somebody chose otherwise. */
  readonly defaultGroup: SystemGroupName
  /** Whether the creator of what it applies to has it instead at first; `defaultGroup` if nobody created it. */
  readonly startsWithCreator: boolean
  /** Whether nobody may have it. */
  readonly allowsNobody: boolean
  /** Whether everyone may have it. Guests can't have the others, not even where a value names them. */
  readonly allowsEveryone: boolean
  /** Whether it is given to one system group, never to custom or anonymous groups. */
  readonly requiresSystemGroup: boolean
  /** The system groups that may have it; empty for any that the other rules allow. */
  readonly allowedSystemGroups: readonly SystemGroupName[]
  /** Whether only owners may change it. */
  readonly isChangedByOwnersOnly: boolean
}

const setting = (
  defaultGroup: SystemGroupName,
  { everyone = false, ...rest }: Partial<PermissionSetting> & { readonly everyone?: boolean } = {},
): PermissionSetting => ({
  defaultGroup,
  startsWithCreator: false,
  allowsNobody: true,
  allowsEveryone: everyone,
  requiresSystemGroup: false,
  allowedSystemGroups: [],
  isChangedByOwnersOnly: false,
  ...rest,
})

/** The permissions of an organization, by the name of their setting. */
export const realmPermissions = {
  can_access_all_users_group: setting('role:everyone', {
    everyone: true,
    allowsNobody: false,
    requiresSystemGroup: true,
    allowedSystemGroups: ['role:everyone', 'role:members'],
  }),
  can_add_custom_emoji_group: setting('role:members'),
  can_add_subscribers_group: setting('role:members'),
  can_create_bots_group: setting('role:members'),
  can_create_groups: setting('role:members', { isChangedByOwnersOnly: true }),
  can_create_private_channel_group: setting('role:members'),
  can_create_public_channel_group: setting('role:members'),
  can_create_web_public_channel_group: setting('role:owners', {
    requiresSystemGroup: true,
    allowedSystemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: setting('role:members'),
  can_delete_any_message_group: setting('role:administrators'),
  can_delete_own_message_group: setting('role:everyone', { everyone: true }),
  can_invite_users_group: setting('role:members', { isChangedByOwnersOnly: true }),
  can_manage_all_groups: setting('role:owners', { allowsNobody: false, isChangedByOwnersOnly: true }),
  can_manage_billing_group: setting('role:administrators', {
    allowsNobody: false,
    isChangedByOwnersOnly: true,
  }),
  can_mention_many_users_group: setting('role:administrators', { everyone: true }),
  can_move_messages_between_channels_group: setting('role:members'),
  can_move_messages_between_topics_group: setting('role:everyone', { everyone: true }),
  can_resolve_topics_group: setting('role:everyone', { everyone: true }),
  can_summarize_topics_group: setting('role:everyone', { everyone: true }),
  create_multiuse_invite_group: setting('role:administrators', { isChangedByOwnersOnly: true }),
  direct_message_initiator_group: setting('role:everyone', { everyone: true }),
  direct_message_permission_group: setting('role:everyone', { everyone: true }),
} as const satisfies Record<string, PermissionSetting>
export type RealmPermission = keyof typeof realmPermissions
export const realmPermissionNames = Object.keys(realmPermissions) as RealmPermission[]
export type RealmPermissionValues = Readonly<Record<RealmPermission, GroupSettingValue>>

/** Permissions that no service asks for, and why storing and returning them is enough. */
export const permissionsForClients: Partial<Record<RealmPermission, string>> = {
  can_manage_billing_group: 'Stored for clients; nothing is billed.',
  can_summarize_topics_group:
    'Stored for clients; nothing is summarized, as `server_can_summarize_topics` says.',
}

/** The permissions on a channel. */
export const channelPermissions = {
  can_add_subscribers_group: setting('role:nobody'),
  can_administer_channel_group: setting('role:nobody', { startsWithCreator: true }),
  can_remove_subscribers_group: setting('role:administrators', { everyone: true }),
  can_send_message_group: setting('role:everyone', { everyone: true }),
  can_subscribe_group: setting('role:nobody'),
} as const satisfies Record<string, PermissionSetting>
export type ChannelPermission = keyof typeof channelPermissions
export const channelPermissionNames = Object.keys(channelPermissions) as ChannelPermission[]
export type ChannelPermissionValues = Readonly<Record<ChannelPermission, GroupSettingValue>>

/** The permissions on a user group. */
export const groupPermissions = {
  can_add_members_group: setting('role:nobody', { startsWithCreator: true }),
  can_join_group: setting('role:nobody'),
  can_leave_group: setting('role:everyone', { everyone: true }),
  can_manage_group: setting('role:nobody', { startsWithCreator: true }),
  can_mention_group: setting('role:everyone', { everyone: true }),
  can_remove_members_group: setting('role:nobody'),
} as const satisfies Record<string, PermissionSetting>
export type GroupPermission = keyof typeof groupPermissions
export const groupPermissionNames = Object.keys(groupPermissions) as GroupPermission[]
export type GroupPermissionValues = Readonly<Record<GroupPermission, GroupSettingValue>>

/** The value of a permission that nobody chose. */
export const defaultGroupSetting = ({ defaultGroup }: PermissionSetting): number =>
  systemGroupIds[defaultGroup]

/** The permissions of a channel that nobody created. */
export const defaultChannelPermissions = Object.fromEntries(
  channelPermissionNames.map((name) => [name, defaultGroupSetting(channelPermissions[name])]),
) as ChannelPermissionValues

/** The value of a permission that nobody chose, on something that a user created. */
export const initialGroupSetting = (permission: PermissionSetting, creatorId: number): GroupSettingValue =>
  permission.startsWithCreator
    ? { direct_members: [creatorId], direct_subgroups: [] }
    : defaultGroupSetting(permission)

/** A user whose permissions are in question. */
interface Subject extends PolicySubject {
  readonly userId: number
}

/**
 * Whether an active user has a permission. `isInCustomGroup` tells whether the user is in a custom group, directly or
 * through subgroups; it is asked only about groups that the value names.
 */
export function hasPermission(
  { allowsEveryone }: Pick<PermissionSetting, 'allowsEveryone'>,
  value: GroupSettingValue,
  user: Subject,
  isInCustomGroup: (groupId: number) => boolean,
): boolean {
  if (user.role > Role.member && !allowsEveryone) return false
  const { direct_members, direct_subgroups } = groupSettingParts(value)
  return (
    direct_members.includes(user.userId) ||
    direct_subgroups.some((id) => (isCustomGroup(id) ? isInCustomGroup(id) : isInSystemGroup(id, user)))
  )
}

/** The custom groups that a value names. */
export const customGroupsOf = (value: GroupSettingValue): number[] =>
  groupSettingParts(value).direct_subgroups.filter(isCustomGroup)

/**
 * Throws SYSTEM_GROUP_REQUIRED or BAD_REQUEST if a permission can't have this canonical value. Whether its users and
 * custom groups exist is checked where they are.
 */
export function checkGroupSetting(
  name: string,
  { allowsNobody, allowsEveryone, requiresSystemGroup, allowedSystemGroups }: PermissionSetting,
  value: GroupSettingValue,
): void {
  const systemGroup = typeof value === 'number' ? systemGroupOf(value) : undefined
  if (requiresSystemGroup && systemGroup === undefined) {
    throw new AppError('SYSTEM_GROUP_REQUIRED', {
      message: `'${name}' must be a system group`,
      details: { setting_name: name },
    })
  }
  const isRefused =
    groupSettingParts(value).direct_subgroups.includes(systemGroupIds['role:internet']) ||
    (systemGroup === 'role:nobody' && !allowsNobody) ||
    (systemGroup === 'role:everyone' && !allowsEveryone) ||
    (systemGroup !== undefined &&
      allowedSystemGroups.length > 0 &&
      !allowedSystemGroups.includes(systemGroup))
  if (!isRefused) return
  const choice = allowedSystemGroups.length > 0 ? `: it must be one of ${allowedSystemGroups.join(', ')}` : ''
  throw badRequest(`'${name}' cannot be '${systemGroup ?? 'role:internet'}'${choice}`)
}

/**
 * The new canonical value of a permission; undefined if it stays. Throws EXPECTATION_MISMATCH if the client knows
 * another value than `shown`, which is `present` without deactivated users; SYSTEM_GROUP_REQUIRED or BAD_REQUEST for a
 * value that the permission can't have.
 */
export function changedGroupSetting(
  name: string,
  permission: PermissionSetting,
  change: GroupSettingChange,
  present: GroupSettingValue,
  shown: GroupSettingValue,
): GroupSettingValue | undefined {
  const { wanted, old } = readGroupSettingChange(change)
  checkGroupSetting(name, permission, wanted)
  if (old !== undefined && !isSameGroupSetting(old, canonicalGroupSetting(shown))) {
    throw new AppError('EXPECTATION_MISMATCH', {
      message: `The current value of '${name}' differs from 'old': fetch it and try again`,
      details: { field_name: 'old' },
    })
  }
  return isSameGroupSetting(wanted, present) ? undefined : wanted
}

/**
 * The values in a request whose users and custom groups must exist, which the users service checks: all but single system
 * groups, which every organization has.
 */
export function groupSettingsToCheck<Name extends string>(
  names: readonly Name[],
  requested: { readonly [N in Name]?: GroupSettingChange | undefined },
): GroupSettingValue[] {
  return names
    .map((name) => requested[name])
    .filter((change) => change !== undefined)
    .map((change) => readGroupSettingChange(change).wanted)
    .filter((value) => !isSystemGroupSetting(value))
}

/** Whether a value is a single system group. */
const isSystemGroupSetting = (value: GroupSettingValue): boolean =>
  typeof value === 'number' && systemGroupOf(value) !== undefined

/** The system group of an ID; undefined for another. */
function systemGroupOf(id: number): SystemGroupName | undefined {
  return (Object.keys(systemGroupIds) as SystemGroupName[]).find((name) => systemGroupIds[name] === id)
}

/** Which groups a permission accepts, for the documentation of its parameter. */
export function describeAcceptedGroups({
  allowsNobody,
  allowsEveryone,
  requiresSystemGroup,
  allowedSystemGroups,
  defaultGroup,
  startsWithCreator,
}: PermissionSetting): string {
  const ids = (names: readonly SystemGroupName[]) =>
    names.map((name) => `${systemGroupIds[name]} (\`${name}\`)`).join(', ')
  const refused: SystemGroupName[] = [
    'role:internet',
    ...(allowsEveryone ? [] : (['role:everyone'] as const)),
    ...(allowsNobody ? [] : (['role:nobody'] as const)),
  ]
  const accepted =
    allowedSystemGroups.length > 0
      ? `ID of one of ${ids(allowedSystemGroups)}.`
      : `${requiresSystemGroup ? 'ID of a system group' : 'ID of a group, or `{"direct_members": [user IDs], "direct_subgroups": [group IDs]}`'}; not ${ids(refused)}.`
  return `${accepted} Default ${startsWithCreator ? 'the creator' : ids([defaultGroup])}.`
}
