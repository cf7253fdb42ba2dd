import { z } from 'zod'
import { limits } from '../declarations/limits.ts'
import { systemGroupIds } from './system-groups.ts'

const idList = z.array(z.int()).max(limits.maxListLength)

/** The listed users, and the members of the listed groups and of their subgroups. */
const anonymousGroup = z.object({ direct_members: idList, direct_subgroups: idList })
type AnonymousGroup = z.output<typeof anonymousGroup>

/** Who has a permission: the members of the group of this ID, or an anonymous group. */
export const groupSettingValue = z.union([z.int(), anonymousGroup])
export type GroupSettingValue = z.output<typeof groupSettingValue>

/**
 * A changed value: the new one, alone or with the one that the client knows. If that isn't the current one, nothing
 * changes.
 */
export const groupSettingChange = z.union([
  groupSettingValue,
  z.object({ new: groupSettingValue, old: groupSettingValue.optional() }),
])
export type GroupSettingChange = z.output<typeof groupSettingChange>

/** The two values of a change; `old` is undefined if the client sent none. Both are canonical. */
export function readGroupSettingChange(change: GroupSettingChange): {
  readonly wanted: GroupSettingValue
  readonly old: GroupSettingValue | undefined
} {
  if (typeof change !== 'object' || !('new' in change))
    return { wanted: canonicalGroupSetting(change), old: undefined }
  const old = change.old === undefined ? undefined : canonicalGroupSetting(change.old)
  return { wanted: canonicalGroupSetting(change.new), old }
}

/** The users and groups that a value names. */
export function groupSettingParts(value: GroupSettingValue): AnonymousGroup {
  return typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value
}

/**
 * The form in which values are stored, compared and sent: an ID where one group says it all, `role:nobody` for an empty
 * anonymous group, otherwise ascending lists without duplicates.
 */
export function canonicalGroupSetting(value: GroupSettingValue): GroupSettingValue {
  const { direct_members, direct_subgroups } = groupSettingParts(value)
  const [users, groups] = [ascending(direct_members), ascending(direct_subgroups)]
  const [only, second] = groups
  if (users.length > 0 || second !== undefined) return { direct_members: users, direct_subgroups: groups }
  return only ?? systemGroupIds['role:nobody']
}

/**
 * A value as clients get it: without the users who are deactivated. It isn't made canonical, so that it is the same again
 * when they come back.
 */
export function withoutMembers(value: GroupSettingValue, userIds: ReadonlySet<number>): GroupSettingValue {
  if (typeof value === 'number') return value
  return { ...value, direct_members: value.direct_members.filter((id) => !userIds.has(id)) }
}

/** Whether two canonical values are the same. */
export function isSameGroupSetting(one: GroupSettingValue, other: GroupSettingValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
