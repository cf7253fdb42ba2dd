import { endpoints, systemGroupIds } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { groupOf, newGroup, newGroupName } from './groups.ts'
import { until } from './until.ts'

const {
  deactivateUserGroup,
  listUserGroups,
  removeUserGroup,
  updateUserGroup,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} = endpoints.users
const { updateRealm } = endpoints.realm

/** Changes of user groups, for `startWorkload`: groups are created and deactivated, with members and subgroups. */
export async function groupWorkload(
  owner: ApiClient,
  observers: readonly ApiClient[],
): Promise<((turn: number) => Promise<unknown>)[]> {
  const { id: user_group_id, name } = await newGroup(owner)
  const pick = (turn: number): ApiClient => observers[turn % observers.length] as ApiClient

  return [
    async (turn) => {
      const temporary = await newGroup(pick(turn), [owner])
      await owner.call(updateUserGroupSubgroups, { user_group_id, add: [temporary.id] })
      await owner.call(updateUserGroup, {
        user_group_id: temporary.id,
        name: newGroupName(),
        description: '',
      })
      if (turn % 3 === 0) return
      if (turn % 3 === 1) await owner.call(removeUserGroup, { user_group_id: temporary.id })
      else {
        await owner.call(updateUserGroupSubgroups, { user_group_id, delete: [temporary.id] })
        await owner.call(deactivateUserGroup, { user_group_id: temporary.id })
      }
      await owner.call(updateUserGroup, { user_group_id: temporary.id, description: 'deactivated' })
    },
    async (turn) => {
      const [one, next] = [pick(turn).userId, pick(turn + 1).userId]
      const { members } = await groupOf(owner, name)
      await owner.call(updateUserGroupMembers, {
        user_group_id,
        add: [one, next].filter((id) => !members.includes(id)),
        delete: members.filter((id) => id !== one && id !== next),
      })
    },
    (turn) =>
      owner.call(updateUserGroup, {
        user_group_id,
        can_mention_group: [systemGroupIds['role:members'], systemGroupIds['role:everyone']][turn % 2],
      }),
    // All members stop being full members, and become so again, including new users. Users checks that every other second.
    async () => {
      await owner.call(updateRealm, { waiting_period_threshold: 30 })
      await until(async () => (await groupOf(owner, 'role:fullmembers')).members.length === 0)
      await owner.call(updateRealm, { waiting_period_threshold: 0 })
      await until(async () => {
        const { user_groups } = await owner.call(listUserGroups, {})
        const [full, all] = ['role:fullmembers', 'role:members'].map(
          (wanted) => user_groups.find((group) => group.name === wanted)?.members,
        )
        return full?.length === all?.length
      })
    },
  ]
}
