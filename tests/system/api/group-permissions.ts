import { endpoints, type GroupPermission, Role, systemGroupIds, type UserGroup } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { groupOf, newGroup, newGroupName } from '../support/groups.ts'
import { newUserOfRole, newUsers } from '../support/users-and-channels.ts'

const {
  createUserGroup,
  removeUserGroup,
  updateUserGroup,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} = endpoints.users
const { updateRealm } = endpoints.realm
const { 'role:everyone': EVERYONE, 'role:members': MEMBERS, 'role:nobody': NOBODY } = systemGroupIds

const only = ({ userId }: ApiClient) => ({ direct_members: [userId], direct_subgroups: [] })

/** Who may create and change user groups. */
export const groupPermissionTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let moderator: ApiClient
  let creator: ApiClient
  let user: ApiClient
  let member: ApiClient
  let other: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[creator, user, member, other] = (await newUsers(system(), 4)) as [
      ApiClient,
      ApiClient,
      ApiClient,
      ApiClient,
    ]
    moderator = await newUserOfRole(system(), Role.moderator)
  })

  describe('the permissions on a user group', () => {
    test('are chosen with the group; otherwise its creator manages it', async () => {
      const [usual, chosen] = [
        await newGroup(creator),
        await newGroup(creator, [], { can_manage_group: only(user), can_join_group: MEMBERS }),
      ]

      expect(usual).toMatchObject({
        can_add_members_group: only(creator),
        can_join_group: NOBODY,
        can_leave_group: EVERYONE,
        can_manage_group: only(creator),
        can_mention_group: EVERYONE,
        can_remove_members_group: NOBODY,
      })
      expect(chosen).toMatchObject({
        can_add_members_group: only(creator),
        can_manage_group: only(user),
        can_join_group: MEMBERS,
      })
    })

    /** What `user` tries with a group of `creator` and `member`. */
    const actions: Readonly<Record<string, (groupId: number) => Promise<{ status: number }>>> = {
      change: (user_group_id) => user.send(updateUserGroup, { user_group_id, description: newGroupName() }),
      add: (user_group_id) => user.send(updateUserGroupMembers, { user_group_id, add: [other.userId] }),
      join: (user_group_id) => user.send(updateUserGroupMembers, { user_group_id, add: [user.userId] }),
      remove: (user_group_id) =>
        user.send(updateUserGroupMembers, { user_group_id, delete: [member.userId] }),
      leave: (user_group_id) => user.send(updateUserGroupMembers, { user_group_id, delete: [user.userId] }),
      'put a group in': async (user_group_id) =>
        user.send(updateUserGroupSubgroups, { user_group_id, add: [(await newGroup(user)).id] }),
      delete: (user_group_id) => user.send(removeUserGroup, { user_group_id }),
    }
    test.each<[GroupPermission, string[]]>([
      ['can_manage_group', Object.keys(actions)],
      ['can_add_members_group', ['add', 'join', 'put a group in']],
      ['can_join_group', ['join']],
      ['can_remove_members_group', ['remove', 'leave']],
      ['can_leave_group', ['leave']],
      ['can_mention_group', []],
    ])('%s lets users: %j', async (permission, expected) => {
      const able: string[] = []
      for (const [name, attempt] of Object.entries(actions)) {
        const members = name === 'leave' ? [member, user] : [member]
        const permissions = { can_leave_group: NOBODY, [permission]: only(user) }
        const { id } = await newGroup(creator, members, permissions)
        if ((await attempt(id)).status === 200) able.push(name)
      }

      expect(able).toEqual(expected)
    })

    test('reach the members of a group and of its subgroups', async () => {
      const inner = await newGroup(creator, [user])
      const outer = await newGroup(creator, [], { subgroups: [inner.id] })
      const { id } = await newGroup(creator, [], { can_manage_group: outer.id })

      expect(await actions['change']?.(id)).toMatchObject(success())
      await creator.call(updateUserGroupSubgroups, { user_group_id: outer.id, delete: [inner.id] })
      expect(await actions['change']?.(id)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('change with one event, which has their new values', async () => {
      const { id: user_group_id, name } = await newGroup(creator)
      const queue = await registerQueue(user, { event_types: ['user_group'], fetch_event_types: [] })
      const events = queue.follow()

      await creator.call(updateUserGroup, {
        user_group_id,
        can_join_group: { new: MEMBERS, old: NOBODY },
        can_leave_group: { direct_members: [], direct_subgroups: [] },
        can_mention_group: EVERYONE,
      })

      const data = { can_join_group: MEMBERS, can_leave_group: NOBODY }
      await events.waitFor((event) => event['group_id'] === user_group_id)
      await events.stop()
      expect(events.events).toContainEqual(expect.objectContaining({ op: 'update', data }))
      expect(await groupOf(user, name)).toMatchObject(data)
    })

    test.each<[string, GroupPermission, () => UserGroup['can_join_group']]>([
      ['everyone manages', 'can_manage_group', () => EVERYONE],
      ['everyone adds members', 'can_add_members_group', () => EVERYONE],
      ['everyone joins', 'can_join_group', () => EVERYONE],
      ['everyone removes members', 'can_remove_members_group', () => EVERYONE],
      ['the world leaves', 'can_leave_group', () => systemGroupIds['role:internet']],
      [
        'an unknown user manages',
        'can_manage_group',
        () => ({ direct_members: [2_147_483_647], direct_subgroups: [] }),
      ],
      ['an unknown group joins', 'can_join_group', () => 2_147_483_647],
    ])('reject that %s', async (_, permission, value) => {
      const { id: user_group_id } = await newGroup(creator)
      const fields = { name: newGroupName(), description: '', members: [] }

      expect(await creator.send(updateUserGroup, { user_group_id, [permission]: value() })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(await creator.send(createUserGroup, { ...fields, [permission]: value() })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('keep a group that one of them names from being deleted', async () => {
      const { id: user_group_id } = await newGroup(creator)
      const guarded = await newGroup(creator, [], { can_join_group: user_group_id })

      expect(await creator.send(removeUserGroup, { user_group_id })).toMatchObject(refusal('BAD_REQUEST'))
      await creator.call(updateUserGroup, { user_group_id: guarded.id, can_join_group: NOBODY })
      expect(await creator.send(removeUserGroup, { user_group_id })).toMatchObject(success())
    })

    test('are described to clients: a group starts with its creator', async () => {
      const state = await user.call(endpoints.events.register, { fetch_event_types: ['realm'] })

      expect(state).toMatchObject({
        server_supported_permission_settings: {
          group: {
            can_manage_group: {
              default_group_name: 'group_creator',
              default_for_system_groups: 'role:nobody',
            },
            can_leave_group: { default_group_name: 'role:everyone', allow_everyone_group: true },
          },
        },
      })
    })
  })

  describe('the permissions to create groups and to manage all of them', () => {
    const reset = () =>
      owner.call(updateRealm, {
        can_create_groups: MEMBERS,
        can_manage_all_groups: systemGroupIds['role:owners'],
      })
    afterAll(reset)

    test('reach the users that they name, whatever groups these are in', async () => {
      const { id: user_group_id } = await newGroup(creator)
      await owner.call(updateRealm, { can_create_groups: only(other), can_manage_all_groups: only(user) })
      const create = (client: ApiClient) =>
        client.send(createUserGroup, { name: newGroupName(), description: '', members: [] })
      const change = (client: ApiClient) =>
        client.send(updateUserGroup, { user_group_id, description: newGroupName() })

      expect(await create(other)).toMatchObject(success())
      expect(await create(owner)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await change(user)).toMatchObject(success())
      expect(await change(owner)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await change(creator)).toMatchObject(success())
      await reset()
      expect(await change(owner)).toMatchObject(success())
      expect(await change(user)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test.each<[number, string[]]>([
      [2, ['owner']],
      [4, ['owner', 'moderator']],
      [3, ['owner', 'moderator']],
      [1, ['owner', 'moderator']],
    ])('follow the older policy: under %i, any group is changed by %j', async (policy, expected) => {
      const { id: user_group_id } = await newGroup(owner, [], { can_manage_group: NOBODY })
      await owner.call(updateRealm, { user_group_edit_policy: policy })
      const able: string[] = []
      for (const [name, client] of Object.entries({ owner, moderator, other })) {
        const change = { user_group_id, description: newGroupName() }
        if ((await client.send(updateUserGroup, change)).status === 200) able.push(name)
      }

      expect(able).toEqual(expected)
    })
  })

  describe('subgroups', () => {
    test('come with a new group', async () => {
      const inner = await newGroup(creator)

      const group = await newGroup(creator, [], { subgroups: [inner.id, MEMBERS, inner.id] })

      expect(group).toMatchObject({ direct_subgroup_ids: [MEMBERS, inner.id] })
      const unknown = { name: newGroupName(), description: '', members: [], subgroups: [2_147_483_647] }
      expect(await creator.send(createUserGroup, unknown)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('are changed together with members: all or none', async () => {
      const [inner, next] = [await newGroup(creator), await newGroup(creator)]
      const { id: user_group_id, name } = await newGroup(creator, [], { subgroups: [inner.id] })
      const change = (add_subgroups: number[]) =>
        creator.send(updateUserGroupMembers, {
          ...{ user_group_id, add: [user.userId], add_subgroups },
          delete_subgroups: [inner.id],
        })

      expect(await change([2_147_483_647])).toMatchObject(refusal('BAD_REQUEST'))
      expect(await change([user_group_id])).toMatchObject(refusal('BAD_REQUEST'))
      expect(await groupOf(user, name)).toMatchObject({
        members: [creator.userId],
        direct_subgroup_ids: [inner.id],
      })
      expect(await change([next.id])).toMatchObject(success())
      expect(await groupOf(user, name)).toMatchObject({
        members: [creator.userId, user.userId],
        direct_subgroup_ids: [next.id],
      })
    })
  })
}
