import type { GroupSettingValue } from './group-setting-value.ts'
import { systemGroupIds } from './system-groups.ts'

/** Values of `stream_post_policy`, by which older clients know who may post in a channel. */
export const PostPolicy = { everyone: 1, administrators: 2, fullMembers: 3, moderators: 4 } as const

const groups: Readonly<Record<number, number>> = {
  [PostPolicy.everyone]: systemGroupIds['role:everyone'],
  [PostPolicy.administrators]: systemGroupIds['role:administrators'],
  [PostPolicy.fullMembers]: systemGroupIds['role:fullmembers'],
  [PostPolicy.moderators]: systemGroupIds['role:moderators'],
}

/** `can_send_message_group` for a policy. */
export const groupOfPostPolicy = (policy: number): number =>
  groups[policy] ?? systemGroupIds['role:administrators']

/** The policy for a `can_send_message_group`: everyone where no policy says it. */
export function postPolicyOf(value: GroupSettingValue): number {
  const policy = Object.keys(groups).find((key) => groups[Number(key)] === value)
  return policy === undefined ? PostPolicy.everyone : Number(policy)
}
