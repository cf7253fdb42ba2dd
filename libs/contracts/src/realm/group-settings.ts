import { z } from 'zod'
import {
  groupOfPolicy,
  isCustomGroup,
  policyOfGroup,
  type SystemGroupName,
  systemGroupIds,
} from '../system-groups.ts'
import type { RealmProjection } from './records.ts'
import type { OpenGroupSetting, RealmGroupSetting, realmGroupSettings } from './settings.ts'

/** Clients of before level 264, 266 and 270 read and send these policies in place of groups. */
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
/** Of the policies on creating channels. */
const CREATION_POLICIES: ReadonlySet<number | null> = new Set([1, 2, 3, 4])

/** The group that may do what a setting is about where the policy in its place has this value. */
export function groupInPlaceOf(setting: OpenGroupSetting, policy: number): number {
  if (policiesOfGroups[setting] !== 'private_message_policy') return groupOfPolicy(policy)
  return systemGroupIds[policy === DIRECT_MESSAGES_OFF ? 'role:nobody' : 'role:everyone']
}

/**
 * The value of a policy where its groups are these. A group that the policy has no value for gives the widest: older
 * clients then show too much rather than too little, and the server refuses it.
 */
export function policyInPlaceOf(
  setting: Exclude<OpenGroupSetting, 'direct_message_initiator_group'>,
  groupId: number,
): number {
  if (setting === 'direct_message_permission_group')
    return groupId === systemGroupIds['role:nobody'] ? DIRECT_MESSAGES_OFF : DIRECT_MESSAGES_ON
  const policy = policyOfGroup(groupId)
  return policy !== null && CREATION_POLICIES.has(policy) ? policy : MEMBERS_MAY_CREATE
}

/** The group that a setting of an organization names; of facts without it, the one that its policy amounts to. */
export function groupOf(
  realm: Pick<RealmProjection, keyof Policies | OpenGroupSetting>,
  setting: OpenGroupSetting,
): number {
  return realm[setting] ?? groupInPlaceOf(setting, realm[policiesOfGroups[setting]])
}

/** IDs have 32 bits. */
const MAX_ID = 2 ** 31 - 1

/** A number alone says nothing to who got it wrong. */
const nameGroup = (group: SystemGroupName): string => `${systemGroupIds[group]} (${group})`

/** Which groups a setting takes. */
export type GroupsTaken = (typeof realmGroupSettings)[RealmGroupSetting]

/** Lists them, those that every organization has by `word`. */
export function wordGroups(
  { systemGroups, takesCustomGroups }: GroupsTaken,
  word: (group: SystemGroupName) => string,
): string {
  return [...systemGroups.map(word), ...(takesCustomGroups ? ['a user group of the organization'] : [])].join(
    ', ',
  )
}

/** The IDs of groups that a setting takes; whether one that people made is there is for others to find out. */
export function groupIdOf(groups: GroupsTaken): z.ZodType<number> {
  const { systemGroups, takesCustomGroups } = groups
  const ids: ReadonlySet<number> = new Set(systemGroups.map((group) => systemGroupIds[group]))
  const error = wordGroupChoice(groups)
  const isTaken = (id: number) => ids.has(id) || (takesCustomGroups && isCustomGroup(id))
  return z.int({ error }).max(MAX_ID, { error }).refine(isTaken, { error })
}

/** Says which groups those are. */
export const wordGroupChoice = (groups: GroupsTaken): string =>
  `must be one of ${wordGroups(groups, nameGroup)}`
