import { endpoints, type GroupPermissionValues, type UserGroup } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'

let groups = 0

/** A unique name. */
export function newGroupName(): string {
  return `group ${++groups}`
}

/** Creates a group of its creator and others. */
export async function newGroup(
  creator: ApiClient,
  others: readonly ApiClient[] = [],
  more: Partial<GroupPermissionValues> & { readonly subgroups?: number[] } = {},
): Promise<UserGroup> {
  const name = newGroupName()
  await creator.call(endpoints.users.createUserGroup, {
    name,
    description: 'for a test',
    members: [creator, ...others].map(({ userId }) => userId),
    ...more,
  })
  return groupOf(creator, name)
}

/** The group of a name. */
export async function groupOf(client: ApiClient, name: string): Promise<UserGroup> {
  const { user_groups } = await client.call(endpoints.users.listUserGroups, {})
  const group = user_groups.find((one) => one.name === name)
  if (!group) throw new Error(`there is no group '${name}'`)
  return group
}

/** Begins to deactivate a group as a process does that dies then; `fromNow` is when that is given up. */
export async function reserveUntil({ system }: TestSystem, groupId: number, fromNow: string): Promise<void> {
  const db = createPool(system.databaseUrls.users, 1, createLog('test', 'silent'))
  try {
    await db.query('update user_groups set reserved_until = now() + $2::interval where id = $1', [
      groupId,
      fromNow,
    ])
  } finally {
    await db.end()
  }
}
