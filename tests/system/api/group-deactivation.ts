import { endpoints, systemGroupIds, type UserGroup } from '@tms/contracts'
import { type Answer, type ApiClient, type EventQueue, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newGroup, newGroupName, reserveUntil } from '../support/groups.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'

const {
  createUserGroup,
  deactivateUserGroup,
  inviteByEmail,
  listUserGroupMembers,
  listUserGroups,
  removeUserGroup,
  updateUserGroup,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} = endpoints.users
const { archiveChannel, getMessage, renderMessage, subscribe, updateChannel } = endpoints.messaging
const { updateRealm } = endpoints.realm
const { 'role:everyone': EVERYONE, 'role:members': MEMBERS, 'role:nobody': NOBODY } = systemGroupIds
const BAD = refusal('BAD_REQUEST')

const only = ({ userId }: ApiClient) => ({ direct_members: [userId], direct_subgroups: [] })

/** What deactivation does to a user group. */
export const groupDeactivationTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let creator: ApiClient
  let member: ApiClient
  let racedChannel: { readonly id: number }
  let racedGroup: UserGroup
  beforeAll(async () => {
    owner = system().owner
    ;[creator, member] = (await newUsers(system(), 2)) as [ApiClient, ApiClient]
    ;[racedChannel, racedGroup] = [await newChannel(creator), await newGroup(creator)]
  })

  const deactivate = (group: Pick<UserGroup, 'id'>, client = creator) =>
    client.send(deactivateUserGroup, { user_group_id: group.id })
  const newDeactivated = async (...more: readonly ApiClient[]): Promise<UserGroup> => {
    const group = await newGroup(creator, more)
    expect(await deactivate(group)).toMatchObject(success())
    return group
  }

  describe('a deactivated user group', () => {
    test('is no longer listed, except on request', async () => {
      const group = await newDeactivated(member)

      const usual = await member.call(listUserGroups, {})
      const complete = await member.call(listUserGroups, { include_deactivated_groups: true })

      expect(usual.user_groups.map(({ id }) => id)).not.toContain(group.id)
      expect(complete.user_groups).toContainEqual({ ...group, deactivated: true })
      expect(complete.user_groups).toMatchObject(
        expect.arrayContaining([...usual.user_groups.map(({ id }) => expect.objectContaining({ id }))]),
      )
      const { members } = await member.call(listUserGroupMembers, { user_group_id: group.id })
      expect(members).toEqual([creator.userId, member.userId])
    })

    test('is not deactivated again, and is what a removed group becomes', async () => {
      const [group, removed] = [await newDeactivated(), await newGroup(creator)]
      await creator.call(removeUserGroup, { user_group_id: removed.id })

      for (const one of [group, removed]) {
        expect(await deactivate(one)).toMatchObject(BAD)
        expect(await creator.send(removeUserGroup, { user_group_id: one.id })).toMatchObject(BAD)
      }
      const { user_groups } = await creator.call(listUserGroups, { include_deactivated_groups: true })
      expect(user_groups).toContainEqual({ ...removed, deactivated: true })
    })

    test('stays for clients that declare it, and is removed for others', async () => {
      const watch = async (include_deactivated_groups: boolean): Promise<EventQueue> =>
        registerQueue(member, {
          ...{ event_types: ['user_group'], fetch_event_types: ['realm_user_groups'] },
          client_capabilities: { notification_settings_null: true, include_deactivated_groups },
        })
      const [earlier, group] = [await newDeactivated(), await newGroup(creator)]
      const [complete, usual] = [(await watch(true)).follow(), (await watch(false)).follow()]

      await deactivate(group)
      const name = newGroupName()
      await creator.call(updateUserGroup, { user_group_id: group.id, name })
      await creator.call(updateUserGroup, { user_group_id: earlier.id, can_join_group: MEMBERS })
      const last = await newGroup(creator)

      const eventsOf = async (queue: EventQueue) => {
        await queue.waitFor((event) => (event['group'] as UserGroup | undefined)?.id === last.id)
        await queue.stop()
        const ours = queue.events.filter(({ group_id }) => group_id === group.id || group_id === earlier.id)
        return ours.map(({ id: _, ...event }) => event)
      }
      const of = { type: 'user_group', group_id: group.id }
      expect(await eventsOf(complete)).toEqual([
        { ...of, op: 'update', data: { deactivated: true } },
        { ...of, op: 'update', data: { name } },
        { ...of, op: 'update', group_id: earlier.id, data: { can_join_group: MEMBERS } },
      ])
      expect(await eventsOf(usual)).toEqual([{ ...of, op: 'remove' }])
      const registered = ({ state }: EventQueue) => state['realm_user_groups'] as UserGroup[]
      expect(registered(complete)).toContainEqual({ ...earlier, deactivated: true })
      expect(registered(usual).map(({ id }) => id)).not.toContain(earlier.id)
      expect(registered(usual)).toContainEqual(group)
    })

    test('is mentioned by nobody, and mentions nobody', async () => {
      const channel = await newChannel(creator, { others: [member] })
      const { name } = await newDeactivated(member)
      const { rendered } = await creator.call(renderMessage, { content: `@*${name}* @_*${name}*` })

      expect(rendered).toBe(`<p>@<em>${name}</em> @_<em>${name}</em></p>`)
      const message_id = await sendToChannel(creator, channel.name, `@*${name}*`)
      const { message } = await member.call(getMessage, { message_id })
      expect((message as { flags: string[] }).flags).not.toContain('mentioned')
    })

    test('gives no permission, not even on itself', async () => {
      const group = await newGroup(creator, [member])
      await creator.call(updateUserGroup, { user_group_id: group.id, can_manage_group: group.id })
      const rename = () =>
        member.send(updateUserGroup, { user_group_id: group.id, description: newGroupName() })
      expect(await rename()).toMatchObject(success())

      expect(await deactivate(group, member)).toMatchObject(success())

      expect(await rename()).toMatchObject(BAD)
      expect(await owner.send(updateUserGroup, { user_group_id: group.id, description: '' })).toMatchObject(
        success(),
      )
    })

    test.each<[string, (id: number) => Promise<Answer>]>([
      ['the organization', (id) => owner.send(updateRealm, { can_resolve_topics_group: { new: id } })],
      [
        'a channel',
        async (id) => creator.send(updateChannel, { stream_id: racedChannel.id, can_subscribe_group: id }),
      ],
      [
        'a new channel',
        (id) =>
          creator.send(subscribe, {
            subscriptions: [{ name: newGroupName() }],
            can_send_message_group: { direct_members: [creator.userId], direct_subgroups: [id] },
          }),
      ],
      [
        'another group',
        (id) => creator.send(updateUserGroup, { user_group_id: racedGroup.id, can_join_group: id }),
      ],
      [
        'another group, as its part',
        (id) => creator.send(updateUserGroupSubgroups, { user_group_id: racedGroup.id, add: [id] }),
      ],
    ])('becomes no permission of %s at the moment of its deactivation', async (_, use) => {
      for (let round = 0; round < 6; round++) {
        const group = await newGroup(creator)
        const answers = await Promise.all([use(group.id), deactivate(group)])
        expect(answers.filter(({ body }) => body['result'] === 'success')).toHaveLength(1)
      }
      await owner.call(updateRealm, { can_resolve_topics_group: EVERYONE })
    })

    test('is refused as a permission while it is being deactivated, until that is given up', async () => {
      const { id } = await newGroup(creator)
      const channel = await newChannel(creator)
      const attempts = [
        () => owner.send(updateRealm, { can_resolve_topics_group: { new: id } }),
        () => creator.send(updateChannel, { stream_id: channel.id, can_send_message_group: id }),
        () => creator.send(subscribe, { subscriptions: [{ name: newGroupName() }], can_subscribe_group: id }),
      ]

      await reserveUntil(system(), id, '20 seconds')
      for (const attempt of attempts) expect(await attempt()).toMatchObject(BAD)
      expect(await deactivate({ id })).toMatchObject(BAD)
      await reserveUntil(system(), id, '-1 second')
      for (const attempt of attempts) expect(await attempt()).toMatchObject(success())
      await owner.call(updateRealm, { can_resolve_topics_group: EVERYONE })
    })

    test('cannot be chosen in a setting, or as a subgroup', async () => {
      const { id } = await newDeactivated()
      const { id: other } = await newGroup(creator)
      const channel = await newChannel(creator)
      const value = { direct_members: [creator.userId], direct_subgroups: [id] }
      const fresh = () => ({ name: newGroupName(), description: '', members: [] })

      const attempts = [
        owner.send(updateRealm, { can_create_groups: id }),
        owner.send(updateRealm, { can_create_groups: { new: value } }),
        creator.send(updateChannel, { stream_id: channel.id, can_send_message_group: id }),
        creator.send(subscribe, {
          subscriptions: [{ name: newGroupName() }],
          can_send_message_group: value,
        }),
        creator.send(updateUserGroup, { user_group_id: other, can_join_group: id }),
        creator.send(createUserGroup, { ...fresh(), can_join_group: value }),
        creator.send(createUserGroup, { ...fresh(), subgroups: [id] }),
        creator.send(updateUserGroupSubgroups, { user_group_id: other, add: [id] }),
        creator.send(updateUserGroupMembers, { user_group_id: other, add_subgroups: [id] }),
        owner.send(inviteByEmail, {
          ...{ invitee_emails: 'somebody@example.com', stream_ids: [] },
          group_ids: [id],
        }),
      ]
      for (const attempt of attempts) expect(await attempt).toMatchObject(BAD)
    })

    test('can still be renamed, described and given permissions, not joined or filled', async () => {
      const [group, inner] = [await newDeactivated(), await newGroup(creator)]
      const user_group_id = group.id
      const name = newGroupName()
      const change = { name, description: 'gone', can_join_group: MEMBERS }

      await creator.call(updateUserGroup, { user_group_id, ...change })

      const { user_groups } = await creator.call(listUserGroups, { include_deactivated_groups: true })
      expect(user_groups).toContainEqual({ ...group, ...change, deactivated: true })
      for (const forbidden of ['@x', 'role:x', 'user:x', 'stream:x', 'channel:x', 'x'.repeat(101)]) {
        expect(await creator.send(updateUserGroup, { user_group_id, name: forbidden })).toMatchObject(BAD)
      }
      const additions = [
        { add: [member.userId] },
        { delete: [creator.userId] },
        { add_subgroups: [inner.id] },
      ]
      for (const addition of additions) {
        expect(await creator.send(updateUserGroupMembers, { user_group_id, ...addition })).toMatchObject(BAD)
      }
      expect(await creator.send(updateUserGroupSubgroups, { user_group_id, add: [inner.id] })).toMatchObject(
        BAD,
      )
    })

    test('keeps its name until it is renamed', async () => {
      const { id: user_group_id, name } = await newDeactivated()
      const create = () => creator.send(createUserGroup, { name, description: '', members: [] })

      expect(await create()).toMatchObject(
        refusal('BAD_REQUEST', { msg: expect.stringContaining('deactivated') }),
      )
      await creator.call(updateUserGroup, { user_group_id, name: newGroupName() })
      expect(await create()).toMatchObject(success())
      expect(await creator.send(updateUserGroup, { user_group_id, name })).toMatchObject(BAD)
    })
  })

  describe('the deactivation of a user group', () => {
    test('is for those who manage it', async () => {
      const group = await newGroup(creator, [member], { can_leave_group: MEMBERS, can_join_group: MEMBERS })
      await owner.call(updateRealm, { can_create_groups: group.id })

      expect(await deactivate(group, member)).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'Insufficient permission' }),
      )
      await owner.call(updateRealm, { can_create_groups: MEMBERS })
      expect(await deactivate({ id: NOBODY }, owner)).toMatchObject(BAD)
      expect(await deactivate({ id: 2_147_483_647 }, owner)).toMatchObject(BAD)
      expect(await deactivate(group, owner)).toMatchObject(success())
    })

    test('leaves the group in deactivated groups', async () => {
      const inner = await newGroup(creator)
      const outer = await newGroup(creator, [], { subgroups: [inner.id] })
      for (const group of [outer, inner]) expect(await deactivate(group)).toMatchObject(success())

      const { user_groups } = await creator.call(listUserGroups, { include_deactivated_groups: true })
      expect(user_groups.find(({ id }) => id === outer.id)).toMatchObject({ direct_subgroup_ids: [inner.id] })
    })

    test('is refused while anything uses the group, and says what', async () => {
      const group = await newGroup(creator)
      const outer = await newGroup(creator, [], { subgroups: [group.id] })
      const naming = await newGroup(creator, [], {
        can_join_group: group.id,
        can_add_members_group: { ...only(creator), direct_subgroups: [group.id] },
      })
      const visible = await newChannel(creator)
      const hidden = await newChannel(owner, { isPrivate: true })
      const archived = await newChannel(creator)
      const grant = (client: ApiClient, stream_id: number, can_send_message_group: number) =>
        client.call(updateChannel, { stream_id, can_send_message_group })
      await grant(creator, visible.id, group.id)
      await grant(owner, hidden.id, group.id)
      await grant(creator, archived.id, group.id)
      await creator.call(archiveChannel, { stream_id: archived.id })
      await owner.call(updateRealm, { can_create_groups: { ...only(creator), direct_subgroups: [group.id] } })

      const answer = await deactivate(group)

      expect(answer).toMatchObject(refusal('CANNOT_DEACTIVATE_GROUP_IN_USE'))
      expect((answer.body as { objections: unknown }).objections).toEqual([
        { type: 'subgroup', supergroup_ids: [outer.id] },
        { type: 'user_group', group_id: naming.id, settings: ['can_add_members_group', 'can_join_group'] },
        { type: 'channel', channel_id: visible.id, settings: ['can_send_message_group'] },
        { type: 'channel', settings: ['can_send_message_group'] },
        { type: 'realm', settings: ['can_create_groups'] },
      ])
      await owner.call(updateRealm, { can_create_groups: MEMBERS })
      await grant(creator, visible.id, MEMBERS)
      await grant(owner, hidden.id, MEMBERS)
      expect(await deactivate(naming)).toMatchObject(success())
      expect(await deactivate(group)).toMatchObject(refusal('CANNOT_DEACTIVATE_GROUP_IN_USE'))
      await creator.call(updateUserGroupSubgroups, { user_group_id: outer.id, delete: [group.id] })
      expect(await deactivate(group)).toMatchObject(success())
    })
  })
}
