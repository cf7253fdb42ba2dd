import { endpoints, Role, systemGroupIds, type UserGroup } from '@tms/contracts'
import {
  type ApiClient,
  type ClientEvent,
  type EventQueue,
  registerQueue,
  type TestSystem,
} from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { groupOf, newGroup, newGroupName } from '../support/groups.ts'
import { newChannel, newUsers } from '../support/users-and-channels.ts'

const {
  createUserGroup,
  deactivateUser,
  deactivateUserGroup,
  isUserGroupMember,
  listUserGroupMembers,
  reactivateUser,
  updateUser,
  updateUserGroup,
  updateUserGroupMembers,
} = endpoints.users
const { getChannel, updateChannel } = endpoints.messaging
const { updateRealm } = endpoints.realm
const BAD = refusal('BAD_REQUEST')
const {
  'role:fullmembers': FULL_MEMBERS,
  'role:members': MEMBERS,
  'role:moderators': MODERATORS,
} = systemGroupIds

/** What becomes of the groups and permissions of a user who is deactivated. */
export const groupMemberActivityTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let creator: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[creator] = (await newUsers(system(), 1)) as [ApiClient]
  })

  const deactivate = (user: ApiClient) => owner.call(deactivateUser, { user_id: user.userId })
  const reactivate = (user: ApiClient) => owner.call(reactivateUser, { user_id: user.userId })
  const watch = async (types: string[], include_deactivated_groups = false): Promise<EventQueue> => {
    const client_capabilities = { notification_settings_null: true, include_deactivated_groups }
    const queue = await registerQueue(creator, {
      ...{ event_types: types, fetch_event_types: [], client_capabilities },
    })
    return queue.follow()
  }
  /** The events up to that of a new group, without their IDs and without new groups. */
  const eventsOf = async (queue: EventQueue): Promise<Record<string, unknown>[]> => {
    const last = await newGroup(creator)
    const isLast = (event: ClientEvent) => (event['group'] as UserGroup | undefined)?.id === last.id
    await queue.waitFor(isLast)
    await queue.stop()
    return queue.events.filter(({ op }) => op !== 'add').map(({ id: _, ...event }) => event)
  }

  describe('a deactivated user', () => {
    test('is in no group for clients, and in all former ones once reactivated', async () => {
      const user = await system().createUser()
      const [inner, gone] = [await newGroup(creator, [user]), await newGroup(creator, [user])]
      const outer = await newGroup(creator, [], { subgroups: [inner.id] })
      await creator.call(deactivateUserGroup, { user_group_id: gone.id })
      const [usual, complete] = [await watch(['user_group']), await watch(['user_group'], true)]

      await deactivate(user)

      expect(await groupOf(creator, inner.name)).toMatchObject({ members: [creator.userId] })
      expect((await groupOf(creator, 'role:members')).members).not.toContain(user.userId)
      const query = { user_group_id: outer.id, user_id: user.userId }
      expect(await creator.call(listUserGroupMembers, query)).toMatchObject({ members: [creator.userId] })
      expect(await creator.call(isUserGroupMember, query)).toMatchObject({ is_user_group_member: false })
      const { state } = await registerQueue(creator, { fetch_event_types: ['realm_user_groups'] })
      const groups = state['realm_user_groups'] as UserGroup[]
      expect(groups.filter(({ members }) => members.includes(user.userId))).toEqual([])

      await reactivate(user)

      expect(await groupOf(creator, inner.name)).toMatchObject({ members: [creator.userId, user.userId] })
      expect(await creator.call(isUserGroupMember, query)).toMatchObject({ is_user_group_member: true })
      const changes = (ids: number[]) =>
        ['remove_members', 'add_members'].flatMap((op) =>
          ids.map((group_id) => ({ type: 'user_group', op, group_id, user_ids: [user.userId] })),
        )
      expect(await eventsOf(usual)).toEqual(changes([MEMBERS, FULL_MEMBERS, inner.id]))
      expect(await eventsOf(complete)).toEqual(changes([MEMBERS, FULL_MEMBERS, inner.id, gone.id]))
    })

    test('is neither added to groups nor removed', async () => {
      const user = await system().createUser()
      const { id: user_group_id, name } = await newGroup(creator, [user])
      await deactivate(user)
      const fresh = { name: newGroupName(), description: '', members: [user.userId] }

      for (const change of [{ add: [user.userId] }, { delete: [user.userId] }]) {
        expect(await creator.send(updateUserGroupMembers, { user_group_id, ...change })).toMatchObject(BAD)
      }
      expect(await creator.send(createUserGroup, fresh)).toMatchObject(BAD)
      await reactivate(user)
      expect(await creator.send(createUserGroup, fresh)).toMatchObject(success())
      expect((await groupOf(creator, name)).members).toContain(user.userId)
    })

    test('comes back with the role that was chosen meanwhile', async () => {
      const user = await system().createUser()
      await deactivate(user)
      const queue = await watch(['user_group'])

      await owner.call(updateUser, { user_id: user.userId, role: Role.moderator })
      await reactivate(user)

      expect(await eventsOf(queue)).toEqual([
        { type: 'user_group', op: 'add_members', group_id: MODERATORS, user_ids: [user.userId] },
      ])
    })

    test('is not shown in the permissions on a group, and has them once reactivated', async () => {
      const user = await system().createUser()
      const both = {
        direct_members: [creator.userId, user.userId].sort((a, b) => a - b),
        direct_subgroups: [MODERATORS],
      }
      const shown = { ...both, direct_members: [creator.userId] }
      const only = { direct_members: [user.userId], direct_subgroups: [] }
      const group = await newGroup(creator, [], { can_manage_group: both, can_join_group: only })
      const queue = await watch(['user_group'])

      await deactivate(user)

      const update = {
        ...{ type: 'user_group', op: 'update', group_id: group.id },
        data: { can_join_group: { ...only, direct_members: [] }, can_manage_group: shown },
      }
      expect(await groupOf(creator, group.name)).toMatchObject(update.data)
      const user_group_id = group.id
      const change = { new: FULL_MEMBERS, old: { direct_members: [], direct_subgroups: [] } }
      await creator.call(updateUserGroup, { user_group_id, description: 'kept', can_join_group: change })
      await reactivate(user)
      expect(await groupOf(creator, group.name)).toMatchObject({ can_manage_group: both })
      const rename = { user_group_id, description: 'by the user' }
      expect(await user.send(updateUserGroup, rename)).toMatchObject(success())
      expect((await eventsOf(queue)).filter(({ op }) => op === 'update')).toEqual([
        update,
        { ...update, data: { description: 'kept', can_join_group: FULL_MEMBERS } },
        { ...update, data: { can_manage_group: both } },
        { ...update, data: { description: 'by the user' } },
      ])
    })

    test('is not shown in the permissions of the organization, and has them once reactivated', async () => {
      const user = await system().createUser()
      const name = 'can_add_custom_emoji_group'
      const both = {
        direct_members: [creator.userId, user.userId].sort((a, b) => a - b),
        direct_subgroups: [MODERATORS],
      }
      const shown = { ...both, direct_members: [creator.userId] }
      await owner.call(updateRealm, { [name]: both })
      const queue = await watch(['realm', 'user_group'])
      const read = async () => {
        const { state } = await registerQueue(creator, { fetch_event_types: ['realm'] })
        return state[`realm_${name}`]
      }

      await deactivate(user)

      expect(await read()).toEqual(shown)
      const change = { new: FULL_MEMBERS, old: both }
      expect(await owner.send(updateRealm, { [name]: change })).toMatchObject(refusal('EXPECTATION_MISMATCH'))
      await owner.call(updateRealm, { description: newGroupName() })
      await reactivate(user)
      expect(await read()).toEqual(both)
      await deactivate(user)
      await owner.call(updateRealm, { [name]: { new: FULL_MEMBERS, old: shown } })
      await reactivate(user)
      expect(await read()).toEqual(FULL_MEMBERS)
      await owner.call(updateRealm, { [name]: MEMBERS })
      const changes = (await eventsOf(queue)).filter(({ op }) => op === 'update_dict')
      expect(changes.map(({ data }) => (data as Record<string, unknown>)[name])).toEqual([
        ...[shown, both, shown],
        ...[FULL_MEMBERS, MEMBERS],
      ])
    })

    test('is not shown in the permissions on a channel, and has them once reactivated', async () => {
      const user = await system().createUser()
      const { id: stream_id } = await newChannel(creator, { others: [user] })
      const can_administer_channel_group = {
        direct_members: [creator.userId, user.userId].sort((a, b) => a - b),
        direct_subgroups: [],
      }
      await creator.call(updateChannel, { stream_id, can_administer_channel_group })
      const shown = { ...can_administer_channel_group, direct_members: [creator.userId] }
      const read = async () =>
        (await creator.call(getChannel, { stream_id })).stream.can_administer_channel_group
      const queue = await watch(['stream', 'user_group'])

      await deactivate(user)

      expect(await read()).toEqual(shown)
      await creator.call(updateChannel, { stream_id, description: 'changed' })
      await reactivate(user)
      expect(await read()).toEqual(can_administer_channel_group)
      expect(await user.send(updateChannel, { stream_id, description: 'again' })).toMatchObject(success())
      const property = 'can_administer_channel_group'
      const events = (await eventsOf(queue)).filter((event) => event['property'] === property)
      expect(events).toMatchObject([
        { op: 'update', stream_id, value: shown },
        { op: 'update', stream_id, value: can_administer_channel_group },
      ])
    })
  })
}
