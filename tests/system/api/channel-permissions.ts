import { endpoints, Role, systemGroupIds } from '@tms/contracts'
import type { Answer, ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newGroup } from '../support/groups.ts'
import { newAddress } from '../support/invitations.ts'
import {
  newChannel,
  newChannelName,
  newUserOfRole,
  newUsers,
  sendToChannel,
} from '../support/users-and-channels.ts'

const { archiveChannel, getChannel, getMessage, sendMessage, subscribe, unsubscribe, updateChannel } =
  endpoints.messaging

type RoleName = keyof typeof Role
const ROLES = Object.keys(Role) as RoleName[]
const KINDS = {
  public: {},
  shared: { isPrivate: true, hasSharedHistory: true },
  protected: { isPrivate: true, hasSharedHistory: false },
} as const

export const channelPermissionTests = (system: () => TestSystem): void => {
  // Users of this test only, created when it runs: other tests demote owners.
  describe('in channels', () => permissionTests(system))
}

const permissionTests = (system: () => TestSystem): void => {
  let creator: ApiClient
  let victim: ApiClient
  let newMember: ApiClient
  const usersByRole = new Map<RoleName, ApiClient>()
  beforeAll(async () => {
    ;[creator, victim, newMember] = await newUsers(system(), 3)
    for (const role of ROLES) usersByRole.set(role, await newUserOfRole(system(), Role[role]))
  })
  const someone = (role: RoleName) => usersByRole.get(role) as ApiClient
  const allowed = ({ status }: Answer): boolean => {
    expect([200, 400]).toContain(status)
    return status === 200
  }

  describe('permissions in a channel', () => {
    // see: its name and settings; past: read messages before the subscription, read: later messages; join: subscribe oneself;
    // add and remove: others; edit: its settings; archive: end it.
    test.each<{ kind: keyof typeof KINDS; role: RoleName; isIn: boolean; may: string }>([
      { kind: 'public', role: 'owner', isIn: false, may: 'see past read post join add remove edit archive' },
      { kind: 'public', role: 'owner', isIn: true, may: 'see past read post join add remove edit archive' },
      {
        kind: 'public',
        role: 'administrator',
        isIn: false,
        may: 'see past read post join add remove edit archive',
      },
      { kind: 'public', role: 'moderator', isIn: false, may: 'see past read post join add' },
      { kind: 'public', role: 'moderator', isIn: true, may: 'see past read post join add' },
      { kind: 'public', role: 'member', isIn: false, may: 'see past read post join add' },
      { kind: 'public', role: 'member', isIn: true, may: 'see past read post join add' },
      { kind: 'public', role: 'guest', isIn: false, may: '' },
      { kind: 'public', role: 'guest', isIn: true, may: 'see past read post' },

      { kind: 'shared', role: 'owner', isIn: false, may: 'see remove edit archive' },
      { kind: 'shared', role: 'owner', isIn: true, may: 'see past read post join add remove edit archive' },
      { kind: 'shared', role: 'administrator', isIn: false, may: 'see remove edit archive' },
      { kind: 'shared', role: 'moderator', isIn: false, may: '' },
      { kind: 'shared', role: 'moderator', isIn: true, may: 'see past read post join add' },
      { kind: 'shared', role: 'member', isIn: false, may: '' },
      { kind: 'shared', role: 'member', isIn: true, may: 'see past read post join add' },
      { kind: 'shared', role: 'guest', isIn: false, may: '' },
      { kind: 'shared', role: 'guest', isIn: true, may: 'see past read post' },

      { kind: 'protected', role: 'owner', isIn: false, may: 'see remove edit archive' },
      { kind: 'protected', role: 'owner', isIn: true, may: 'see read post join add remove edit archive' },
      { kind: 'protected', role: 'moderator', isIn: false, may: '' },
      { kind: 'protected', role: 'member', isIn: false, may: '' },
      { kind: 'protected', role: 'member', isIn: true, may: 'see read post join add' },
      { kind: 'protected', role: 'guest', isIn: false, may: '' },
      { kind: 'protected', role: 'guest', isIn: true, may: 'see read post' },
    ])('$kind, $role, subscribed $isIn: $may', async ({ kind, role, isIn, may }) => {
      const actor = someone(role)
      const { name, id } = await newChannel(creator, { ...KINDS[kind], others: [victim] })
      const past = await sendToChannel(creator, name, 'past')
      const subscriptions = [{ name }]
      if (isIn) await creator.call(subscribe, { subscriptions, principals: [actor.userId] })
      const read = await sendToChannel(creator, name, 'read')

      const actions: Record<string, () => Promise<Answer>> = {
        see: () => actor.send(getChannel, { stream_id: id }),
        past: () => actor.send(getMessage, { message_id: past }),
        read: () => actor.send(getMessage, { message_id: read }),
        post: () => actor.send(sendMessage, { type: 'channel', to: id, topic: 't', content: 'x' }),
        join: () => actor.send(subscribe, { subscriptions }),
        add: () => actor.send(subscribe, { subscriptions, principals: [newMember.userId] }),
        remove: () => actor.send(unsubscribe, { subscriptions: [name], principals: [victim.userId] }),
        edit: () => actor.send(updateChannel, { stream_id: id, description: 'x' }),
        archive: () => actor.send(archiveChannel, { stream_id: id }),
      }
      const done: string[] = []
      for (const [action, attempt] of Object.entries(actions)) if (allowed(await attempt())) done.push(action)

      expect(done.join(' ')).toBe(may)
    })
  })

  describe('permissions to create channels', () => {
    test.each<[RoleName, string]>([
      ['owner', 'public private default kept'],
      ['administrator', 'public private default'],
      ['moderator', 'public private'],
      ['member', 'public private'],
      ['guest', ''],
    ])('%s: %s', async (role, may) => {
      const kinds = {
        public: {},
        private: { invite_only: true },
        default: { is_default_stream: true },
        kept: { message_retention_days: 30 },
        'web-public': { is_web_public: true },
      }
      const done: string[] = []
      for (const [kind, settings] of Object.entries(kinds)) {
        const subscriptions = [{ name: newChannelName() }]
        if (allowed(await someone(role).send(subscribe, { subscriptions, ...settings }))) done.push(kind)
      }

      expect(done.join(' ')).toBe(may)
    })
  })

  describe('permission to post, by post policy', () => {
    test.each<[string, number, RoleName[]]>([
      ['everyone', 1, ['owner', 'administrator', 'moderator', 'member', 'guest']],
      ['administrators', 2, ['owner', 'administrator']],
      ['full members', 3, ['owner', 'administrator', 'moderator', 'member']],
      ['moderators', 4, ['owner', 'administrator', 'moderator']],
    ])('%s', async (_, stream_post_policy, may) => {
      const { id } = await newChannel(creator, { others: [...usersByRole.values()] })
      await system().owner.call(updateChannel, { stream_id: id, stream_post_policy })
      const post = { type: 'channel', to: id, topic: 't', content: 'x' } as const

      const done: RoleName[] = []
      for (const role of ROLES) if (allowed(await someone(role).send(sendMessage, post))) done.push(role)

      expect(done).toEqual(may)
    })
  })

  describe('permission to remove others, by the group of the channel', () => {
    test.each<[keyof typeof systemGroupIds, RoleName[]]>([
      ['role:administrators', ['owner', 'administrator']],
      ['role:moderators', ['owner', 'administrator', 'moderator']],
      ['role:members', ['owner', 'administrator', 'moderator', 'member']],
      ['role:everyone', ['owner', 'administrator', 'moderator', 'member', 'guest']],
    ])('%s', async (group, may) => {
      const { name, id } = await newChannel(creator, { others: [...usersByRole.values()] })
      const can_remove_subscribers_group = systemGroupIds[group]
      await system().owner.call(updateChannel, { stream_id: id, can_remove_subscribers_group })

      const done: RoleName[] = []
      for (const role of ROLES) {
        const removal = { subscriptions: [name], principals: [victim.userId] }
        if (allowed(await someone(role).send(unsubscribe, removal))) done.push(role)
      }

      expect(done).toEqual(may)
    })
  })

  test('permissions of a channel are given to users, and to groups with their subgroups', async () => {
    const inner = await newGroup(someone('owner'), [someone('moderator')])
    const outer = await newGroup(someone('owner'), [])
    await someone('owner').call(endpoints.users.updateUserGroupSubgroups, {
      user_group_id: outer.id,
      add: [inner.id],
    })
    const given = { direct_members: [someone('guest').userId], direct_subgroups: [outer.id] }
    const name = newChannelName()
    const others = [...usersByRole.values(), victim].map(({ userId }) => userId)
    await creator.call(subscribe, {
      subscriptions: [{ name }],
      principals: [...others, creator.userId],
      can_send_message_group: given,
      can_remove_subscribers_group: given,
    })

    const posting: RoleName[] = []
    const removing: RoleName[] = []
    for (const role of ROLES) {
      const post = { type: 'channel', to: name, topic: 't', content: 'x' } as const
      if (allowed(await someone(role).send(sendMessage, post))) posting.push(role)
      const removal = { subscriptions: [name], principals: [victim.userId] }
      if (allowed(await someone(role).send(unsubscribe, removal))) removing.push(role)
    }

    // The owner is in both groups as their creator.
    expect(posting).toEqual(['owner', 'moderator', 'guest'])
    expect(removing).toEqual(['owner', 'administrator', 'moderator', 'guest'])
  })

  test('a group with a permission on a channel is not removed', async () => {
    const group = await newGroup(someone('owner'))
    const { id } = await newChannel(creator)
    const change = (
      can_send_message_group: number | { direct_members: number[]; direct_subgroups: number[] },
    ) => creator.call(updateChannel, { stream_id: id, can_send_message_group })
    const remove = () => someone('owner').send(endpoints.users.removeUserGroup, { user_group_id: group.id })

    await change(group.id)
    expect(await remove()).toMatchObject(refusal('BAD_REQUEST'))
    await change({ direct_members: [creator.userId], direct_subgroups: [group.id] })
    expect(await remove()).toMatchObject(refusal('BAD_REQUEST'))
    await change(systemGroupIds['role:everyone'])
    expect(await remove()).toMatchObject(success())
  })

  test('can_add_subscribers_group of a channel lets its members add others to it', async () => {
    const { owner } = system()
    const [adder, other] = [someone('moderator'), someone('member')]
    const [open, closed] = [await newChannel(creator), await newChannel(creator)]
    const hidden = await newChannel(creator, { isPrivate: true })
    const can_add_subscribers_group = (await newGroup(owner, [adder, someone('guest')])).id
    for (const { id } of [open, hidden])
      await creator.call(updateChannel, { stream_id: id, can_add_subscribers_group })
    const add = (client: ApiClient, ...names: string[]) =>
      client.send(subscribe, {
        subscriptions: names.map((name) => ({ name })),
        principals: [newMember.userId],
      })
    const refused = refusal('BAD_REQUEST')
    await owner.call(endpoints.realm.updateRealm, {
      can_add_subscribers_group: systemGroupIds['role:nobody'],
    })

    const [mixed, outside, guest] = [
      await add(adder, open.name, closed.name),
      await add(other, open.name),
      await add(someone('guest'), open.name),
    ]
    const [first, second] = [await add(adder, open.name), await add(adder, open.name)]
    const create = (channel: string, may: ApiClient) =>
      other.send(subscribe, {
        subscriptions: [{ name: channel }],
        principals: [newMember.userId],
        can_add_subscribers_group: { direct_members: [may.userId], direct_subgroups: [] },
      })
    const [created, notCreated] = [
      await create(newChannelName(), other),
      await create(newChannelName(), adder),
    ]
    await owner.call(endpoints.realm.updateRealm, {
      can_add_subscribers_group: systemGroupIds['role:members'],
    })

    for (const answer of [mixed, outside, guest]) expect(answer).toMatchObject(refused)
    expect(first).toMatchObject(success())
    expect(Object.keys((first.body as { subscribed: object }).subscribed)).toHaveLength(1)
    expect(Object.keys((second.body as { subscribed: object }).subscribed)).toHaveLength(0)
    expect(created).toMatchObject(success())
    expect(notCreated).toMatchObject(refused)
  })

  test('invitations name default channels, and those whose group lets the inviter add others', async () => {
    const { owner } = system()
    const [usual, given, other] = [
      await newChannel(creator),
      await newChannel(creator),
      await newChannel(creator),
    ]
    await owner.call(updateChannel, { stream_id: usual.id, is_default_stream: true })
    const can_add_subscribers_group = { direct_members: [creator.userId], direct_subgroups: [] }
    await creator.call(updateChannel, { stream_id: given.id, can_add_subscribers_group })
    await owner.call(endpoints.realm.updateRealm, {
      can_add_subscribers_group: systemGroupIds['role:nobody'],
    })
    const invite = (...stream_ids: number[]) =>
      creator.send(endpoints.users.inviteByEmail, { invitee_emails: newAddress(), stream_ids })

    const answers = [
      await invite(usual.id),
      await invite(usual.id, given.id),
      await invite(usual.id, other.id),
    ]
    await owner.call(endpoints.realm.updateRealm, {
      can_add_subscribers_group: systemGroupIds['role:members'],
    })
    await owner.call(updateChannel, { stream_id: usual.id, is_default_stream: false })

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400])
  })

  describe('can_administer_channel_group', () => {
    const administered = async (settings: Parameters<typeof newChannel>[1] = {}) => {
      const channel = await newChannel(creator, { others: [victim], ...settings })
      const rename = (client: ApiClient) =>
        client.send(updateChannel, { stream_id: channel.id, new_name: newChannelName() })
      const archive = (client: ApiClient) => client.send(archiveChannel, { stream_id: channel.id })
      return { ...channel, rename, archive }
    }
    const UNAUTHORIZED = refusal('UNAUTHORIZED_PRINCIPAL')

    test('is the creator at first, who changes and archives the channel', async () => {
      const { id, rename, archive } = await administered()

      expect((await creator.call(getChannel, { stream_id: id })).stream).toMatchObject({
        can_administer_channel_group: { direct_members: [creator.userId], direct_subgroups: [] },
      })
      expect(await rename(victim)).toMatchObject(UNAUTHORIZED)
      expect(await archive(victim)).toMatchObject(UNAUTHORIZED)
      expect(await rename(creator)).toMatchObject(success())
      expect(await archive(creator)).toMatchObject(success())
    })

    test('is checked before what a permission names', async () => {
      const { id } = await administered()
      const unknown = { direct_members: [2_147_483_000], direct_subgroups: [] }
      const grant = (client: ApiClient) =>
        client.send(updateChannel, { stream_id: id, can_subscribe_group: unknown })

      expect(await grant(victim)).toMatchObject(UNAUTHORIZED)
      expect(await grant(creator)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('can be given to others, subscribed or not, but guests cannot use it', async () => {
      const { id, rename } = await administered({ isPrivate: true })
      const [guest, moderator] = [someone('guest'), someone('moderator')]
      const can_administer_channel_group = {
        direct_members: [victim.userId, guest.userId, moderator.userId],
        direct_subgroups: [],
      }
      await creator.call(updateChannel, { stream_id: id, can_administer_channel_group })
      await victim.call(subscribe, {
        subscriptions: [{ name: (await victim.call(getChannel, { stream_id: id })).stream.name }],
        principals: [guest.userId],
      })

      expect(await rename(creator)).toMatchObject(UNAUTHORIZED)
      expect(await rename(guest)).toMatchObject(UNAUTHORIZED)
      expect(await rename(newMember)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await rename(moderator)).toMatchObject(success())
      expect(await rename(victim)).toMatchObject(success())
      expect(await rename(someone('administrator'))).toMatchObject(success())
    })

    test('does not make channels of a kind that one may not create', async () => {
      const { id } = await administered({ isPrivate: true })
      const { owner } = system()
      const open = () => creator.send(updateChannel, { stream_id: id, is_private: false })
      await owner.call(endpoints.realm.updateRealm, { create_public_stream_policy: 2 })

      expect(await open()).toMatchObject(refusal('BAD_REQUEST'))
      await owner.call(endpoints.realm.updateRealm, { create_public_stream_policy: 1 })
      expect(await open()).toMatchObject(success())
    })

    test('does not permit what is for administrators and owners of the organization', async () => {
      const { id } = await administered()

      for (const change of [{ is_default_stream: true }, { message_retention_days: 30 }])
        expect(await creator.send(updateChannel, { stream_id: id, ...change })).toMatchObject(UNAUTHORIZED)
    })
  })
}
