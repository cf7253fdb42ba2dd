import {
  type EndpointInput,
  endpoints,
  type GroupSettingValue,
  type RealmPermission,
  Role,
  type SystemGroupName,
  systemGroupIds,
} from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { groupOf, newGroupName } from '../support/groups.ts'
import { newOrganization, type OtherOrganization } from '../support/other-organization.ts'
import { onePixel } from '../support/pictures.ts'
import { newChannelName } from '../support/users-and-channels.ts'

const { updateRealm } = endpoints.realm
const { createUserGroup, updateUserGroupMembers, updateUserGroupSubgroups, removeUserGroup } = endpoints.users
const { sendMessage, subscribe } = endpoints.messaging

const ROLES = ['owner', 'administrator', 'moderator', 'new', 'guest'] as const
type Who = (typeof ROLES)[number]
const EVERYONE: SystemGroupName = 'role:everyone'
const MEMBERSHIP: readonly [SystemGroupName, string][] = [
  ['role:nobody', ''],
  ['role:owners', 'owner'],
  ['role:administrators', 'owner administrator'],
  ['role:moderators', 'owner administrator moderator'],
  ['role:fullmembers', 'owner administrator moderator full'],
  ['role:members', 'owner administrator moderator full new'],
]
const CREATION = ['can_create_public_channel_group', 'can_create_private_channel_group'] as const
const REFUSED = refusal('BAD_REQUEST')
const WRITING = ['direct_message_initiator_group', 'direct_message_permission_group'] as const

/** Organization settings that name a group: any existing one. */
export const groupSettingTests = (system: () => TestSystem): void => {
  let organization: OtherOrganization
  let owner: ApiClient
  const usersByRole = new Map<Who, ApiClient>()
  beforeAll(async () => {
    organization = await newOrganization(system())
    owner = organization.owner
    usersByRole.set('owner', owner)
    for (const role of ['administrator', 'moderator', 'guest'] as const)
      usersByRole.set(role, await organization.createUser({ role: Role[role] }))
    usersByRole.set('new', await organization.createUser())
    await owner.call(updateRealm, { waiting_period_threshold: 30 })
  })
  const who = (name: Who) => usersByRole.get(name) as ApiClient
  const set = (settings: EndpointInput<typeof updateRealm>) => owner.send(updateRealm, settings)
  const newCustomGroup = async (members: readonly ApiClient[], subgroups: readonly number[] = []) => {
    const name = newGroupName()
    const description = 'of a setting'
    await owner.call(createUserGroup, { name, description, members: members.map(({ userId }) => userId) })
    const { id } = await groupOf(owner, name)
    if (subgroups.length > 0)
      await owner.call(updateUserGroupSubgroups, { user_group_id: id, add: [...subgroups] })
    return id
  }
  const create = (client: ApiClient, setting: (typeof CREATION)[number]) =>
    client.send(subscribe, {
      subscriptions: [{ name: newChannelName() }],
      invite_only: setting === 'can_create_private_channel_group',
    })
  const write = (from: ApiClient, ...to: readonly ApiClient[]) =>
    from.send(sendMessage, { type: 'direct', to: to.map(({ userId }) => userId), content: 'hi' })
  const stateOf = async (client: ApiClient) =>
    (await client.call(endpoints.events.register, {
      fetch_event_types: ['realm', 'realm_user'],
    })) as Record<string, unknown>

  describe.each(CREATION)('%s', (setting) => {
    afterAll(() => set({ [setting]: systemGroupIds['role:members'] }))

    test.each(MEMBERSHIP)('of %s lets create: %s', async (group, may) => {
      await set({ [setting]: systemGroupIds[group] })
      const creators: Who[] = []
      for (const name of ROLES) if ((await create(who(name), setting)).status === 200) creators.push(name)
      expect(creators.join(' ')).toBe(may.replace(' full', ''))
    })

    test('of a custom group allows its members and those of its subgroups, but no guest', async () => {
      const inner = await newCustomGroup([who('new')])
      const outer = await newCustomGroup([who('moderator'), who('guest')])
      await owner.call(updateUserGroupSubgroups, { user_group_id: outer, add: [inner] })
      expect(await set({ [setting]: outer })).toMatchObject(success({ [setting]: outer }))

      expect(await create(who('administrator'), setting)).toMatchObject(REFUSED)
      expect(await create(who('new'), setting)).toMatchObject(success())
      expect(await create(who('moderator'), setting)).toMatchObject(success())
      expect(await create(who('guest'), setting)).toMatchObject(REFUSED)
      expect(await create(owner, setting)).toMatchObject(REFUSED)
      await owner.call(updateUserGroupMembers, { user_group_id: inner, delete: [who('new').userId] })
      expect(await create(who('new'), setting)).toMatchObject(REFUSED)
    })

    test('returns to each user whether they may, and to older clients the widest policy', async () => {
      const group = await newCustomGroup([who('new')])
      await set({ [setting]: group })
      const isPublic = setting === 'can_create_public_channel_group'
      const may = isPublic ? 'can_create_public_streams' : 'can_create_private_streams'
      const policy = isPublic ? 'create_public_stream_policy' : 'create_private_stream_policy'

      expect(await stateOf(who('new'))).toMatchObject({ [may]: true })
      expect(await stateOf(owner)).toMatchObject({
        [may]: false,
        [`realm_${setting}`]: group,
        [`realm_${policy}`]: 1,
      })
      expect(await set({ [policy]: 2 })).toMatchObject(success({ [policy]: 2 }))
      expect(await stateOf(owner)).toMatchObject({
        [`realm_${setting}`]: systemGroupIds['role:administrators'],
      })
    })

    test.each([EVERYONE, 'role:internet'] as const)('rejects %s', async (group) => {
      expect(await set({ [setting]: systemGroupIds[group] })).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('direct messages', () => {
    const reset = () =>
      set(Object.fromEntries(WRITING.map((name) => [name, systemGroupIds['role:everyone']])))
    afterAll(reset)

    test.each(MEMBERSHIP)('need a member of %s in the conversation: %s', async (group, may) => {
      await set({ direct_message_permission_group: systemGroupIds[group] })
      const [newMember, guest] = [who('new'), who('guest')]
      const answerWith = (name: Who) =>
        [name, 'new'].some((one) => may.split(' ').includes(one)) ? success() : REFUSED

      for (const name of ['owner', 'administrator', 'moderator'] as const) {
        expect([name, await write(newMember, who(name))]).toMatchObject([name, answerWith(name)])
        expect([name, await write(who(name), newMember)]).toMatchObject([name, answerWith(name)])
      }
      expect(await write(guest, newMember)).toMatchObject(answerWith('new'))
      expect(await write(newMember, newMember)).toMatchObject(success())
    })

    test('need a member of a custom group', async () => {
      const inner = await newCustomGroup([who('moderator')])
      const group = await newCustomGroup([])
      await owner.call(updateUserGroupSubgroups, { user_group_id: group, add: [inner] })
      await set({ direct_message_permission_group: group })
      const [newMember, guest, moderator] = [who('new'), who('guest'), who('moderator')]

      expect(await write(owner, guest)).toMatchObject(REFUSED)
      expect(await write(guest, moderator)).toMatchObject(success())
      expect(await write(newMember, guest)).toMatchObject(REFUSED)
      expect(await write(newMember, guest, moderator)).toMatchObject(success())
      expect(await write(moderator, newMember)).toMatchObject(success())
    })

    test('are started by the members of a group, and answered by anyone', async () => {
      await reset()
      const [begun, fresh] = [await organization.createUser(), await organization.createUser()]
      expect(await write(who('new'), begun)).toMatchObject(success())
      const group = await newCustomGroup([who('moderator')])
      expect(await set({ direct_message_initiator_group: group })).toMatchObject(
        success({ direct_message_initiator_group: group }),
      )

      expect(await write(begun, fresh, who('guest'))).toMatchObject(REFUSED)
      expect(await write(who('moderator'), fresh)).toMatchObject(success())
      expect(await write(fresh, who('moderator'))).toMatchObject(success())
      expect(await write(begun, who('new'))).toMatchObject(success())
      expect(await write(owner, fresh)).toMatchObject(REFUSED)
      expect(await stateOf(begun)).toMatchObject({
        realm_direct_message_initiator_group: group,
        realm_private_message_policy: 1,
      })
    })

    test('are disabled by the older policy, which both groups follow', async () => {
      const queue = (
        await registerQueue(owner, { event_types: ['realm'], fetch_event_types: ['realm'] })
      ).follow()
      await set({ private_message_policy: 1 })
      await set({ private_message_policy: 2 })
      const nobody = systemGroupIds['role:nobody']

      await queue.waitFor(({ type, op, data }) => {
        const changed = (data ?? {}) as Record<string, unknown>
        const isOff = WRITING.every((name) => changed[name] === nobody)
        return type === 'realm' && op === 'update_dict' && isOff
      })
      expect(queue.events).toContainEqual(
        expect.objectContaining({ op: 'update', property: 'private_message_policy', value: 2 }),
      )
      await queue.stop()
      await set({ direct_message_permission_group: systemGroupIds['role:members'] })
      expect(await stateOf(owner)).toMatchObject({ realm_private_message_policy: 1 })
    })
  })

  describe('a group setting', () => {
    const setting: RealmPermission = 'can_create_private_channel_group'

    test('names a group of the organization', async () => {
      const elsewhere = newGroupName()
      await system().owner.call(createUserGroup, { name: elsewhere, description: '', members: [] })
      const { id } = await groupOf(system().owner, elsewhere)

      for (const group of [id, 2_147_483_647, 2 ** 40, 0, -1, 50])
        expect(await set({ [setting]: group })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('prevents the deletion of its group until it names another', async () => {
      const group = await newCustomGroup([owner])
      await set({ [setting]: group })

      const remove = () => owner.send(removeUserGroup, { user_group_id: group })
      expect(await remove()).toMatchObject(refusal('BAD_REQUEST', { msg: expect.stringContaining(setting) }))
      await set({ [setting]: systemGroupIds['role:members'] })
      expect(await remove()).toMatchObject(success())
    })

    test('may come with the expected old value, and then changes only that value', async () => {
      const group = await newCustomGroup([owner])
      const present = systemGroupIds['role:members']
      await set({ [setting]: present })

      expect(await set({ [setting]: { new: group, old: group } })).toMatchObject(
        refusal('EXPECTATION_MISMATCH', { field_name: 'old' }),
      )
      expect(await stateOf(owner)).toMatchObject({ [`realm_${setting}`]: present })
      expect(await set({ [setting]: { new: group, old: present } })).toMatchObject(
        success({ [setting]: group }),
      )
      expect(await set({ [setting]: { new: group } })).toEqual(expect.objectContaining({ status: 200 }))
      expect(await set({ [setting]: { new: present } })).toMatchObject(success({ [setting]: present }))
    })

    test('takes users and groups together, in any order', async () => {
      const group = await newCustomGroup([who('moderator')])
      const administrator = who('administrator').userId
      const value = {
        direct_members: [administrator, who('guest').userId, administrator],
        direct_subgroups: [group, systemGroupIds['role:owners']],
      }
      const canonical: GroupSettingValue = {
        direct_members: [administrator, who('guest').userId].sort((a, b) => a - b),
        direct_subgroups: [systemGroupIds['role:owners'], group],
      }

      expect(await set({ [setting]: value })).toMatchObject(success({ [setting]: canonical }))
      expect(await stateOf(owner)).toMatchObject({ [`realm_${setting}`]: canonical })
      expect(await create(owner, setting)).toMatchObject(success())
      expect(await create(who('administrator'), setting)).toMatchObject(success())
      expect(await create(who('moderator'), setting)).toMatchObject(success())
      expect(await create(who('new'), setting)).toMatchObject(REFUSED)
      expect(await create(who('guest'), setting)).toMatchObject(REFUSED)
      expect(await set({ [setting]: { new: systemGroupIds['role:members'], old: value } })).toMatchObject(
        success({ [setting]: systemGroupIds['role:members'] }),
      )
    })

    test('names active users of the organization', async () => {
      const former = await organization.createUser()
      await owner.call(endpoints.users.deactivateUser, { user_id: former.userId })

      for (const user of [system().owner.userId, former.userId, 2_147_483_647, 2 ** 40, 0, -1])
        expect(await set({ [setting]: { direct_members: [user], direct_subgroups: [] } })).toMatchObject(
          REFUSED,
        )
    })

    test('that only a system group can have refuses others', async () => {
      const group = await newCustomGroup([owner])
      for (const value of [group, { direct_members: [owner.userId], direct_subgroups: [] }])
        expect(await set({ can_access_all_users_group: value })).toMatchObject(
          refusal('SYSTEM_GROUP_REQUIRED', { setting_name: 'can_access_all_users_group' }),
        )
    })

    test('and the older policy that stands for it cannot be sent together', async () => {
      expect(await set({ can_resolve_topics_group: 5, edit_topic_policy: 1 })).toMatchObject(
        refusal('REQUEST_CONFUSING_VAR'),
      )
    })

    test('arrives in one event with others, and with the policies that changed with it', async () => {
      const queue = (
        await registerQueue(owner, { event_types: ['realm'], fetch_event_types: ['realm'] })
      ).follow()
      const value = { direct_members: [owner.userId], direct_subgroups: [] }
      const moderators = systemGroupIds['role:moderators']
      await set({ can_add_custom_emoji_group: value, can_delete_own_message_group: moderators })
      await set({ add_custom_emoji_policy: 1, delete_own_message_policy: 5 })

      const everyone = systemGroupIds[EVERYONE]
      await queue.waitFor(({ data }) => {
        const changed = (data ?? {}) as Record<string, unknown>
        return changed['can_delete_own_message_group'] === everyone
      })
      await queue.stop()
      expect(queue.events).toContainEqual(
        expect.objectContaining({
          op: 'update_dict',
          property: 'default',
          data: { can_add_custom_emoji_group: value, can_delete_own_message_group: moderators },
        }),
      )
      expect(queue.events).toContainEqual(
        expect.objectContaining({ op: 'update', property: 'delete_own_message_policy', value: 4 }),
      )
      // The widest policy stood for the listed user as well.
      expect(queue.events.filter(({ property }) => property === 'add_custom_emoji_policy')).toEqual([])
    })

    test('is described to clients: which settings accept which groups', async () => {
      const { server_supported_permission_settings: supported } = await stateOf(owner)

      for (const name of [...CREATION, ...WRITING])
        expect(supported).toMatchObject({
          realm: {
            [name]: { require_system_group: false, allow_internet_group: false, allow_nobody_group: true },
          },
        })
      expect(supported).toMatchObject({
        realm: {
          can_access_all_users_group: {
            require_system_group: true,
            allowed_system_groups: ['role:everyone', 'role:members'],
          },
        },
        stream: {
          can_send_message_group: { require_system_group: false, allow_everyone_group: true },
          can_administer_channel_group: { default_group_name: 'stream_creator_or_nobody' },
        },
      })
    })
  })

  describe('permissions on messages', () => {
    const { deleteMessage, editMessage } = endpoints.messaging
    const reset = () =>
      set({
        can_delete_any_message_group: systemGroupIds['role:administrators'],
        edit_topic_policy: 5,
        move_messages_between_streams_policy: 1,
        wildcard_mention_policy: 5,
        delete_own_message_policy: 5,
      })
    afterAll(reset)
    const newChannel = async () => {
      const name = newChannelName()
      await owner.call(subscribe, {
        subscriptions: [{ name }],
        principals: [...usersByRole.values()].map(({ userId }) => userId),
      })
      const { stream_id } = await owner.call(endpoints.messaging.getChannelId, { stream: name })
      return stream_id
    }
    const post = async (from: ApiClient, channel: number, topic = 'a topic') => {
      const { id } = await from.call(sendMessage, { type: 'channel', to: channel, topic, content: 'hi' })
      return { message_id: id }
    }

    test('let the members of a group delete any message, and nobody else', async () => {
      const channel = await newChannel()
      const group = await newCustomGroup([who('moderator')])
      await set({ can_delete_any_message_group: group })

      const [first, second] = [await post(owner, channel), await post(owner, channel)]
      expect(await who('administrator').send(deleteMessage, first)).toMatchObject(REFUSED)
      expect(await who('moderator').send(deleteMessage, first)).toMatchObject(success())
      expect(await owner.send(deleteMessage, second)).toMatchObject(success())
    })

    test('let the members of a group delete their own', async () => {
      const channel = await newChannel()
      await set({
        can_delete_own_message_group: { direct_members: [who('guest').userId], direct_subgroups: [] },
      })

      const guests = await post(who('guest'), channel)
      const members = await post(who('new'), channel)
      expect(await who('guest').send(deleteMessage, guests)).toMatchObject(success())
      expect(await who('new').send(deleteMessage, members)).toMatchObject(REFUSED)
    })

    test('let the members of a group resolve topics, without the permission to move messages', async () => {
      const channel = await newChannel()
      const moved = await post(owner, channel)
      const group = await newCustomGroup([who('new')])
      await set({
        can_resolve_topics_group: group,
        can_move_messages_between_topics_group: systemGroupIds['role:nobody'],
      })
      const rename = (client: ApiClient, topic: string) =>
        client.send(editMessage, { ...moved, topic, propagate_mode: 'change_all' })

      expect(await rename(owner, '✔ a topic')).toMatchObject(REFUSED)
      expect(await rename(who('new'), 'another topic')).toMatchObject(REFUSED)
      expect(await rename(who('new'), '✔ a topic')).toMatchObject(success())
      expect(await rename(who('new'), 'a topic')).toMatchObject(success())
    })

    test('let the members of a group move messages between channels', async () => {
      const [from, to] = [await newChannel(), await newChannel()]
      await set({ can_move_messages_between_channels_group: await newCustomGroup([who('new')]) })
      const move = async (client: ApiClient) =>
        client.send(editMessage, { ...(await post(client, from)), stream_id: to })

      expect(await move(who('moderator'))).toMatchObject(REFUSED)
      expect(await move(who('new'))).toMatchObject(success())
    })
  })

  test('can_add_subscribers_group lets its members subscribe others', async () => {
    await set({ can_add_subscribers_group: await newCustomGroup([who('new')]) })
    const invite = (client: ApiClient) =>
      client.send(subscribe, {
        subscriptions: [{ name: newChannelName() }],
        principals: [who('guest').userId],
      })

    expect(await invite(owner)).toMatchObject(REFUSED)
    expect(await invite(who('new'))).toMatchObject(success())
    expect(await stateOf(who('new'))).toMatchObject({ can_subscribe_other_users: true })
    await set({ invite_to_stream_policy: 1 })
  })

  test('can_create_bots_group and can_create_write_only_bots_group let their members create bots', async () => {
    await set({
      can_create_bots_group: systemGroupIds['role:nobody'],
      can_create_write_only_bots_group: await newCustomGroup([who('new')]),
    })
    const create = (client: ApiClient, bot_type: 1 | 2) =>
      client.send(endpoints.users.createBot, {
        full_name: newGroupName(),
        short_name: newGroupName().replaceAll(/[^a-z0-9]/gi, ''),
        bot_type,
      })

    expect(await create(who('new'), 1)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
    expect(await create(who('moderator'), 2)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
    expect(await create(who('new'), 2)).toMatchObject(success())
    await set({ bot_creation_policy: 1 })
  })

  test('can_add_custom_emoji_group lets its members add emoji', async () => {
    const inner = await newCustomGroup([who('new')])
    await set({ can_add_custom_emoji_group: await newCustomGroup([], [inner]) })
    const add = (client: ApiClient) =>
      client.uploadTo(`/api/v1/realm/emoji/${newGroupName().replace(' ', '_')}`, {
        name: 'x.png',
        content: onePixel,
      })

    expect(await add(owner)).toMatchObject(REFUSED)
    expect(await add(who('new'))).toMatchObject(success())
    await set({ add_custom_emoji_policy: 1 })
  })

  test('can_invite_users_group lets its members invite', async () => {
    await set({ can_invite_users_group: await newCustomGroup([who('new')]) })
    const invite = (client: ApiClient) =>
      client.send(endpoints.users.inviteByEmail, {
        invitee_emails: `${newGroupName().replaceAll(/[^a-z0-9]/gi, '')}@example.com`,
        stream_ids: [],
      })

    expect(await invite(who('moderator'))).toMatchObject(REFUSED)
    expect(await invite(who('new'))).toMatchObject(success())
    expect(await who('administrator').send(updateRealm, { can_invite_users_group: 5 })).toMatchObject(
      refusal('UNAUTHORIZED_PRINCIPAL'),
    )
    await set({ invite_to_realm_policy: 1 })
  })

  test('can_manage_billing_group and can_summarize_topics_group are kept for clients that show them', async () => {
    const onlyOwner = { direct_members: [owner.userId], direct_subgroups: [] }
    const settings = { can_manage_billing_group: onlyOwner, can_summarize_topics_group: onlyOwner }
    const standard = {
      can_manage_billing_group: systemGroupIds['role:administrators'],
      can_summarize_topics_group: systemGroupIds[EVERYONE],
    }
    const queue = (
      await registerQueue(owner, { event_types: ['realm'], fetch_event_types: ['realm'] })
    ).follow()
    const nothingDone = {
      server_can_summarize_topics: false,
      is_billing_admin: false,
      realm_billing: { has_pending_sponsorship_request: false },
    }
    const prefixed = (values: object) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`realm_${name}`, value]))
    expect(await owner.call(endpoints.events.register, {})).toMatchObject({
      ...nothingDone,
      ...prefixed(standard),
      server_supported_permission_settings: {
        realm: {
          can_manage_billing_group: { default_group_name: 'role:administrators', allow_nobody_group: false },
          can_summarize_topics_group: { default_group_name: EVERYONE, allow_nobody_group: true },
        },
      },
    })

    expect(await set(settings)).toMatchObject(success(settings))

    expect(await owner.call(endpoints.events.register, {})).toMatchObject({
      ...nothingDone,
      ...prefixed(settings),
    })
    await queue.waitFor(({ data }) => data !== undefined)
    await queue.stop()
    expect(queue.events).toMatchObject([{ op: 'update_dict', data: settings }])
    expect(await who('administrator').send(updateRealm, standard)).toMatchObject(
      refusal('UNAUTHORIZED_PRINCIPAL'),
    )
    await set(standard)
  })
}
