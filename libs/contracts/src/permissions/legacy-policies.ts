import { z } from 'zod'
import type { GroupSettingValue } from './group-setting-value.ts'
import type { RealmPermission, RealmPermissionValues } from './permission-settings.ts'
import { Policy } from './policies.ts'
import { groupOfPolicy, type SystemGroupName, systemGroupIds } from './system-groups.ts'

type Groups = Partial<Record<RealmPermission, number>>

/** A setting of clients from before the permissions of groups: each value stands for groups of permissions. */
interface LegacyPolicy {
  /** What clients get if no value fits: the widest, so that they offer too much rather than too little. */
  readonly widest: number
  /** The permission that decides the value if no value fits all permissions. */
  readonly main: RealmPermission
  readonly values: Readonly<Record<number, Groups>>
}

/** A policy whose values are those of `Policy`, each for the same group in all permissions. */
function policy(
  permissions: readonly [RealmPermission, ...RealmPermission[]],
  values: readonly number[],
  widest: number,
): LegacyPolicy {
  const groups = (value: number): Groups =>
    Object.fromEntries(permissions.map((name) => [name, groupOfPolicy(value)]))
  return {
    widest,
    main: permissions[0],
    values: Object.fromEntries(values.map((value) => [value, groups(value)])),
  }
}

const ids = (groups: Partial<Record<RealmPermission, SystemGroupName>>): Groups =>
  Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, systemGroupIds[group]]))

const { members, administrators, fullMembers, moderators, everyone, nobody, owners } = Policy
const MEMBERS = [members, administrators, fullMembers, moderators] as const

const mentionMany = (group: SystemGroupName): Groups => ids({ can_mention_many_users_group: group })

/** The policies, by name. */
const policies = {
  add_custom_emoji_policy: policy(['can_add_custom_emoji_group'], MEMBERS, members),
  bot_creation_policy: {
    widest: 1,
    main: 'can_create_bots_group',
    values: {
      1: ids({ can_create_bots_group: 'role:members', can_create_write_only_bots_group: 'role:members' }),
      2: ids({
        can_create_bots_group: 'role:administrators',
        can_create_write_only_bots_group: 'role:members',
      }),
      3: ids({
        can_create_bots_group: 'role:administrators',
        can_create_write_only_bots_group: 'role:administrators',
      }),
    },
  },
  create_private_stream_policy: policy(['can_create_private_channel_group'], MEMBERS, members),
  create_public_stream_policy: policy(['can_create_public_channel_group'], MEMBERS, members),
  create_web_public_stream_policy: policy(
    ['can_create_web_public_channel_group'],
    [administrators, moderators, nobody, owners],
    moderators,
  ),
  delete_own_message_policy: policy(['can_delete_own_message_group'], [...MEMBERS, everyone], everyone),
  edit_topic_policy: policy(
    ['can_move_messages_between_topics_group', 'can_resolve_topics_group'],
    [...MEMBERS, everyone, nobody],
    everyone,
  ),
  invite_to_realm_policy: policy(['can_invite_users_group'], [...MEMBERS, nobody], members),
  invite_to_stream_policy: policy(['can_add_subscribers_group'], MEMBERS, members),
  move_messages_between_streams_policy: policy(
    ['can_move_messages_between_channels_group'],
    [...MEMBERS, nobody],
    members,
  ),
  private_message_policy: {
    widest: 1,
    main: 'direct_message_permission_group',
    values: {
      1: ids({
        direct_message_initiator_group: 'role:everyone',
        direct_message_permission_group: 'role:everyone',
      }),
      2: ids({
        direct_message_initiator_group: 'role:nobody',
        direct_message_permission_group: 'role:nobody',
      }),
    },
  },
  // Members changed only groups that they were in, moderators any: so a value for members lets moderators manage all.
  user_group_edit_policy: {
    widest: members,
    main: 'can_create_groups',
    values: {
      1: ids({ can_create_groups: 'role:members', can_manage_all_groups: 'role:moderators' }),
      2: ids({ can_create_groups: 'role:administrators', can_manage_all_groups: 'role:administrators' }),
      3: ids({ can_create_groups: 'role:fullmembers', can_manage_all_groups: 'role:moderators' }),
      4: ids({ can_create_groups: 'role:moderators', can_manage_all_groups: 'role:moderators' }),
    },
  },
  wildcard_mention_policy: {
    widest: 1,
    main: 'can_mention_many_users_group',
    values: {
      1: mentionMany('role:everyone'),
      2: mentionMany('role:members'),
      3: mentionMany('role:fullmembers'),
      5: mentionMany('role:administrators'),
      6: mentionMany('role:nobody'),
      7: mentionMany('role:moderators'),
    },
  },
} as const satisfies Record<string, LegacyPolicy>
export type LegacyPolicyName = keyof typeof policies
export const legacyPolicyNames = Object.keys(policies) as LegacyPolicyName[]
const policiesByName: Readonly<Record<LegacyPolicyName, LegacyPolicy>> = policies

/** The values that each policy takes. */
export const legacyPolicyValues = Object.fromEntries(
  legacyPolicyNames.map((name) => [name, z.literal(Object.keys(policies[name].values).map(Number))]),
) as Record<LegacyPolicyName, z.ZodLiteral<number>>

/** The permissions that a policy stands for, with their values. */
export const permissionsOfPolicy = (name: LegacyPolicyName, value: number): Readonly<Groups> =>
  policiesByName[name].values[value] ?? {}

/** The permissions that a policy stands for. */
export const permissionNamesOfPolicy = (name: LegacyPolicyName): RealmPermission[] =>
  Object.keys(Object.values(policiesByName[name].values)[0] ?? {}) as RealmPermission[]

/** The policies as clients that don't know permissions read them. */
export function legacyPoliciesOf(permissions: RealmPermissionValues): Record<LegacyPolicyName, number> {
  return Object.fromEntries(
    legacyPolicyNames.map((name) => [name, policyValueOf(policiesByName[name], permissions)]),
  ) as Record<LegacyPolicyName, number>
}

function policyValueOf({ values, main, widest }: LegacyPolicy, permissions: RealmPermissionValues): number {
  const entries = Object.entries(values)
  const stands = (groups: Groups, name: string) =>
    (groups as Readonly<Record<string, GroupSettingValue>>)[name] === permissions[name as RealmPermission]
  const [value] =
    entries.find(([, groups]) => Object.keys(groups).every((name) => stands(groups, name))) ??
    entries.find(([, groups]) => stands(groups, main)) ??
    []
  return value === undefined ? widest : Number(value)
}
