import { z } from 'zod'
import {
  groupOfPolicy,
  isCustomGroup,
  policyOfGroup,
  type SystemGroupName,
  systemGroupIds,
} from '../permissions/system-groups.ts'
import type { RealmProjection } from './records.ts'
import type { OpenGroupSetting, RealmGroupSetting, realmGroupSettings } from './settings.ts'

/** Clients from before level 264, 266 and 270 read and send these policies instead of groups. */
export const policiesOfGroups = {
  can_create_public_channel_group: 'create_public_stream_policy',
  can_create_private_channel_group: 'create_private_stream_policy',
  direct_message_initiator_group: 'private_message_policy',
  direct_message_permission_group: 'private_message_policy',
} as const satisfies Record<OpenGroupSetting, string>
type Policies = Readonly<Record<(typeof policiesOfGroups)[OpenGroupSetting], number>>

/** The values of `private_message_policy`. */
const DIRECT_MESSAGES_ON = 1
const DIRECT_MESSAGES_OFF = 2
const MEMBERS_MAY_CREATE = 1
/** Values of the policies on creating channels. */
const CREATION_POLICIES: ReadonlySet<number | null> = new Set([1, 2, 3, 4])

/** The group of a setting if the corresponding policy has this value. */
export function groupForPolicy(setting: OpenGroupSetting, policy: number): number {
  if (policiesOfGroups[setting] !== 'private_message_policy') return groupOfPolicy(policy)
  return systemGroupIds[policy === DIRECT_MESSAGES_OFF ? 'role:nobody' : 'role:everyone']
}

/**
 * The value of a policy for a group. A group that the policy can't express becomes the widest value: older clients
 * then offer too much rather than too little, and the server refuses it.
 */
export function policyForGroup(
  setting: Exclude<OpenGroupSetting, 'direct_message_initiator_group'>,
  groupId: number,
): number {
  if (setting === 'direct_message_permission_group')
    return groupId === systemGroupIds['role:nobody'] ? DIRECT_MESSAGES_OFF : DIRECT_MESSAGES_ON
  const policy = policyOfGroup(groupId)
  return policy !== null && CREATION_POLICIES.has(policy) ? policy : MEMBERS_MAY_CREATE
}

/** The group of an organization's setting; if the projection lacks it, the group that corresponds to the policy. */
export function groupOf(
  realm: Pick<RealmProjection, keyof Policies | OpenGroupSetting>,
  setting: OpenGroupSetting,
): number {
  return realm[setting] ?? groupForPolicy(setting, realm[policiesOfGroups[setting]])
}

/** IDs have 32 bits. */
const MAX_ID = 2 ** 31 - 1

/** An ID alone would be unclear in an error message. */
const nameGroup = (group: SystemGroupName): string => `${systemGroupIds[group]} (${group})`

/** Which groups a setting accepts. */
export type AcceptedGroups = (typeof realmGroupSettings)[RealmGroupSetting]

/** Lists the accepted groups; `word` names the system groups. */
export function describeGroups(
  { systemGroups, acceptsCustomGroups }: AcceptedGroups,
  word: (group: SystemGroupName) => string,
): string {
  return [
    ...systemGroups.map(word),
    ...(acceptsCustomGroups ? ['a user group of the organization'] : []),
  ].join(', ')
}

/** The IDs that a setting accepts; whether a custom group exists is checked elsewhere. */
export function groupIdOf(groups: AcceptedGroups): z.ZodType<number> {
  const { systemGroups, acceptsCustomGroups } = groups
  const ids: ReadonlySet<number> = new Set(systemGroups.map((group) => systemGroupIds[group]))
  const error = describeGroupChoice(groups)
  const isAccepted = (id: number) => ids.has(id) || (acceptsCustomGroups && isCustomGroup(id))
  return z.int({ error }).max(MAX_ID, { error }).refine(isAccepted, { error })
}

/** The error message that lists the accepted groups. */
export const describeGroupChoice = (groups: AcceptedGroups): string =>
  `must be one of ${describeGroups(groups, nameGroup)}`
