import { endpoints, Role, systemGroupIds, type UserGroup } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { groupOf, newGroup, newGroupName } from '../support/groups.ts'
import { newUserOfRole, newUsers } from '../support/users-and-channels.ts'
import { stopWatching, type Watcher, watch } from '../support/watch.ts'

const {
  createUserGroup,
  isUserGroupMember,
  listUserGroupMembers,
  listUserGroups,
  listUserGroupSubgroups,
  removeUserGroup,
  updateUserGroup,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} = endpoints.users
const { 'role:everyone': EVERYONE, 'role:nobody': NOBODY } = systemGroupIds
const NOBODY_ID = 2_147_483_647

export const userGroupTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let moderator: ApiClient
  let member: ApiClient
  let other: ApiClient
  let guest: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[member, other] = await newUsers(system(), 2)
    moderator = await newUserOfRole(system(), Role.moderator)
    guest = await newUserOfRole(system(), Role.guest)
  })

  describe('user groups', () => {
    test('are created with name, description and members', async () => {
      const name = newGroupName()
      const members = [other.userId, member.userId, other.userId]

      const { group_id } = await member.call(createUserGroup, {
        ...{ name: ` ${name} `, description: 'two\nlines' },
        members,
      })

      const group = await groupOf(owner, name)
      expect(group).toEqual({
        id: group_id,
        name,
        description: 'two\nlines',
        creator_id: member.userId,
        date_created: expect.any(Number),
        members: [member.userId, other.userId].sort((a, b) => a - b),
        direct_subgroup_ids: [],
        is_system_group: false,
        deactivated: false,
        can_add_members_group: { direct_members: [member.userId], direct_subgroups: [] },
        can_join_group: NOBODY,
        can_leave_group: EVERYONE,
        can_manage_group: { direct_members: [member.userId], direct_subgroups: [] },
        can_mention_group: EVERYONE,
        can_remove_members_group: NOBODY,
      })
      expect(Math.abs((group.date_created ?? 0) - Date.now() / 1000)).toBeLessThan(600)
      expect(group.id).toBeGreaterThanOrEqual(100)
    })

    test.each<[string, Record<string, unknown>]>([
      ['a blank name', { name: ' ' }],
      ['a name of 101 characters', { name: '🦉'.repeat(101) }],
      ['a name with a line break', { name: 'a\nb' }],
      ['a name with NUL', { name: 'a\0b' }],
      ...['@', 'role:', 'user:', 'stream:', 'channel:'].map((prefix): [string, { name: string }] => [
        `a name that starts with ${prefix}`,
        { name: `${prefix}x` },
      ]),
      ['a description with NUL', { description: '\0' }],
      ['a description of 1025 characters', { description: 'x'.repeat(1_025) }],
      ['an unknown member', { members: [NOBODY_ID] }],
      ['an invalid member ID', { members: [-1] }],
      ['a permission for an unknown group', { can_mention_group: NOBODY_ID }],
      ['a permission for the world', { can_mention_group: systemGroupIds['role:internet'] }],
      [
        'a permission for an unknown user',
        { can_mention_group: { direct_members: [0], direct_subgroups: [] } },
      ],
    ])('reject %s', async (_, fields) => {
      const valid = { name: newGroupName(), description: '', members: [] }

      expect(await owner.send(createUserGroup, { ...valid, ...fields })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('accept a name of 100 characters', async () => {
      const name = `${newGroupName()} ${'🦉'.repeat(100)}`.slice(0, 10) + '🦉'.repeat(85)

      expect(await owner.send(createUserGroup, { name, description: '', members: [] })).toMatchObject(
        success(),
      )
    })

    test('require a description and members', async () => {
      const answer = await owner.request('POST', '/user_groups/create', [['name', newGroupName()]])

      expect(answer).toMatchObject(refusal('REQUEST_VARIABLE_MISSING'))
    })

    test('give a name to one of several concurrent requests, regardless of case', async () => {
      const name = newGroupName()
      const request = (written: string) =>
        owner.send(createUserGroup, { name: written, description: '', members: [] })

      const answers = await Promise.all([name, name.toUpperCase(), name, name.toUpperCase()].map(request))

      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400])
    })

    test('change only the given fields', async () => {
      const { id, name } = await newGroup(member)
      const can_mention_group = { direct_members: [member.userId], direct_subgroups: [] }

      await member.call(updateUserGroup, { user_group_id: id, description: 'anew' })
      await member.call(updateUserGroup, { user_group_id: id, can_mention_group })

      expect(await groupOf(member, name)).toMatchObject({ id, description: 'anew', can_mention_group })
    })

    test('are renamed, which frees the old name', async () => {
      const { id, name } = await newGroup(member)
      const renamed = newGroupName()

      await member.call(updateUserGroup, { user_group_id: id, name: renamed })

      expect(await groupOf(member, renamed)).toMatchObject({ id })
      expect((await newGroup(member)).name).not.toBe(name)
      const answer = await member.send(createUserGroup, { name: renamed, description: '', members: [] })
      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('change a permission only from the expected old value, if one is given', async () => {
      const { id: user_group_id, name } = await newGroup(member)
      const moderators = systemGroupIds['role:moderators']
      const change = (old: number) =>
        member.send(updateUserGroup, { user_group_id, can_mention_group: { new: moderators, old } })

      expect(await change(moderators)).toMatchObject(refusal('EXPECTATION_MISMATCH', { field_name: 'old' }))
      expect(await change(EVERYONE)).toMatchObject(success())
      expect(await groupOf(member, name)).toMatchObject({ can_mention_group: moderators })
    })

    test('a group alone is equal to its ID in any form', async () => {
      const { name } = await newGroup(member, [], {
        can_mention_group: { direct_members: [], direct_subgroups: [EVERYONE, EVERYONE] },
      })

      expect(await groupOf(member, name)).toMatchObject({ can_mention_group: EVERYONE })
    })

    test('reject an empty change', async () => {
      const { id: user_group_id } = await newGroup(member)

      for (const endpoint of [updateUserGroup, updateUserGroupMembers, updateUserGroupSubgroups]) {
        expect(await member.send(endpoint, { user_group_id })).toMatchObject(refusal('BAD_REQUEST'))
      }
    })

    test('add and remove members: all or none', async () => {
      const { id: user_group_id, name } = await newGroup(member, [other])
      const change = (add: number[], remove: number[]) =>
        member.send(updateUserGroupMembers, { user_group_id, add, delete: remove })
      const membersNow = async () => (await groupOf(member, name)).members

      for (const [add, remove] of [
        [[guest.userId, other.userId], []],
        [[guest.userId], [moderator.userId]],
        [[guest.userId], [guest.userId]],
        [[guest.userId, NOBODY_ID], []],
      ] as const) {
        expect(await change([...add], [...remove])).toMatchObject(refusal('BAD_REQUEST'))
        expect(await membersNow()).toEqual([member.userId, other.userId])
      }
      expect(await change([guest.userId], [other.userId])).toMatchObject(success())
      expect(await membersNow()).toEqual([member.userId, guest.userId])
    })

    test('of many concurrent additions of one user, one succeeds', async () => {
      const { id: user_group_id } = await newGroup(owner)
      const add = [other.userId]

      const answers = await Promise.all(
        Array.from({ length: 4 }, () => owner.send(updateUserGroupMembers, { user_group_id, add })),
      )

      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400])
    })

    test('count members of subgroups, unless requested otherwise', async () => {
      const [outer, inner] = [await newGroup(member), await newGroup(member, [other])]
      await member.call(updateUserGroupSubgroups, { user_group_id: outer.id, add: [inner.id] })
      const query = { user_group_id: outer.id, user_id: other.userId }
      const direct = { direct_member_only: true }

      expect(await member.call(listUserGroupMembers, query)).toMatchObject({
        members: [member.userId, other.userId],
      })
      expect(await member.call(listUserGroupMembers, { ...query, ...direct })).toMatchObject({
        members: [member.userId],
      })
      expect(await member.call(isUserGroupMember, query)).toMatchObject({ is_user_group_member: true })
      expect(await member.call(isUserGroupMember, { ...query, ...direct })).toMatchObject({
        is_user_group_member: false,
      })
      expect(await member.send(isUserGroupMember, { ...query, user_id: NOBODY_ID })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('may contain role groups', async () => {
      const { id: user_group_id } = await newGroup(member)
      await member.call(updateUserGroupSubgroups, {
        user_group_id,
        add: [systemGroupIds['role:administrators']],
      })

      const deep = await member.call(listUserGroupSubgroups, { user_group_id })
      const direct = await member.call(listUserGroupSubgroups, { user_group_id, direct_subgroup_only: true })
      const { members } = await member.call(listUserGroupMembers, { user_group_id })

      expect(deep.subgroups).toEqual([systemGroupIds['role:owners'], systemGroupIds['role:administrators']])
      expect(direct.subgroups).toEqual([systemGroupIds['role:administrators']])
      expect(members).toEqual(expect.arrayContaining([owner.userId, member.userId]))
    })

    test('never contain themselves, even under two concurrent requests', async () => {
      const [a, b, c] = (await Promise.all([newGroup(owner), newGroup(owner), newGroup(owner)])) as [
        UserGroup,
        UserGroup,
        UserGroup,
      ]
      const put = (inner: UserGroup, outer: UserGroup) =>
        owner.send(updateUserGroupSubgroups, { user_group_id: outer.id, add: [inner.id] })

      expect(await put(a, a)).toMatchObject(refusal('BAD_REQUEST'))
      const answers = await Promise.all([put(a, b), put(b, c), put(c, a)])

      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 400])
    })

    test('reject subgroups that are already there, that are missing, and that are unknown', async () => {
      const [outer, inner] = [await newGroup(owner), await newGroup(owner)]
      const change = (add: number[], remove: number[]) =>
        owner.send(updateUserGroupSubgroups, { user_group_id: outer.id, add, delete: remove })

      expect(await change([], [inner.id])).toMatchObject(refusal('BAD_REQUEST'))
      expect(await change([NOBODY_ID], [])).toMatchObject(refusal('BAD_REQUEST'))
      expect(await change([inner.id], [])).toMatchObject(success())
      expect(await change([inner.id], [])).toMatchObject(refusal('BAD_REQUEST'))
      expect(await change([], [inner.id])).toMatchObject(success())
    })

    test('are deleted, also from groups that contained them', async () => {
      const [outer, inner] = [await newGroup(owner), await newGroup(owner)]
      await owner.call(updateUserGroupSubgroups, { user_group_id: outer.id, add: [inner.id] })

      await owner.call(removeUserGroup, { user_group_id: inner.id })

      expect(await groupOf(owner, outer.name)).toMatchObject({ direct_subgroup_ids: [] })
      expect(await owner.send(removeUserGroup, { user_group_id: inner.id })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('cannot be deleted while other groups name them in a permission', async () => {
      const { id } = await newGroup(owner)
      const guarded = await newGroup(owner, [], { can_mention_group: id })

      expect(await owner.send(removeUserGroup, { user_group_id: id })).toMatchObject(refusal('BAD_REQUEST'))
      await owner.call(removeUserGroup, { user_group_id: guarded.id })
      expect(await owner.send(removeUserGroup, { user_group_id: id })).toMatchObject(success())
    })
  })

  describe('permissions on groups', () => {
    const usersByRole = () => ({ owner, moderator, member, other, guest })
    let group: UserGroup
    beforeAll(async () => {
      group = await newGroup(member, [guest])
    })

    // `member` created the group and is in it, `guest` is in it.
    test.each<[string, (client: ApiClient) => Promise<{ status: number }>, string[]]>([
      ['list groups', (client) => client.send(listUserGroups, {}), ['owner', 'moderator', 'member', 'other']],
      [
        'look into groups',
        (client) => client.send(listUserGroupMembers, { user_group_id: group.id }),
        ['owner', 'moderator', 'member', 'other'],
      ],
      [
        'make groups',
        (client) => client.send(createUserGroup, { name: newGroupName(), description: '', members: [] }),
        ['owner', 'moderator', 'member', 'other'],
      ],
      [
        'change a group',
        (client) => client.send(updateUserGroup, { user_group_id: group.id, description: newGroupName() }),
        ['owner', 'member'],
      ],
      [
        'change a group of a role',
        (client) => client.send(updateUserGroup, { user_group_id: EVERYONE, description: newGroupName() }),
        [],
      ],
      [
        'join a group of a role',
        (client) =>
          client.send(updateUserGroupMembers, {
            user_group_id: systemGroupIds['role:owners'],
            add: [client.userId],
          }),
        [],
      ],
    ])('%s', async (_, attempt, expected) => {
      const able: string[] = []
      for (const [name, client] of Object.entries(usersByRole())) {
        if ((await attempt(client)).status === 200) able.push(name)
      }

      expect(able).toEqual(expected)
    })
  })

  describe('role groups', () => {
    test('form a chain, and everyone is in the group of their role', async () => {
      const { user_groups } = await member.call(listUserGroups, {})
      const groups = new Map(user_groups.map((group) => [group.name, group]))
      const chain = [
        'owners',
        'administrators',
        'moderators',
        'fullmembers',
        'members',
        'everyone',
        'internet',
      ]

      for (const [position, name] of chain.entries()) {
        const smaller = groups.get(`role:${chain[position - 1]}`)
        expect(groups.get(`role:${name}`)).toMatchObject({
          is_system_group: true,
          creator_id: null,
          date_created: null,
          can_manage_group: NOBODY,
          can_mention_group: NOBODY,
          direct_subgroup_ids: smaller ? [smaller.id] : [],
        })
      }
      const within = (name: string) => groups.get(name)?.members ?? []
      expect(within('role:owners')).toContain(owner.userId)
      expect(within('role:moderators')).toContain(moderator.userId)
      expect(within('role:members')).toEqual(expect.arrayContaining([member.userId, other.userId]))
      expect(within('role:members')).not.toContain(moderator.userId)
      expect(within('role:fullmembers')).toEqual(expect.arrayContaining([member.userId, other.userId]))
      expect(within('role:everyone')).toContain(guest.userId)
      expect(groups.get('role:nobody')).toMatchObject({ members: [], direct_subgroup_ids: [] })
    })

    test('are in the register state, also for guests', async () => {
      const { user_groups } = await member.call(listUserGroups, {})
      const state = await guest.call(endpoints.events.register, { fetch_event_types: ['realm_user_groups'] })

      expect(state).toMatchObject({ realm_user_groups: user_groups })
    })
  })

  describe('group events', () => {
    let watcher: Watcher
    beforeAll(async () => {
      watcher = await watch(guest, { event_types: ['user_group'] })
    })
    afterAll(() => stopWatching([watcher]))

    /** The events up to one that matches, inclusive; without the IDs of the events. */
    const groupEventsOf = async (act: () => Promise<unknown>, isLast: (event: ClientEvent) => boolean) => {
      const { events } = watcher.queue
      const from = events.length
      await act()
      await watcher.queue.until(() => events.slice(from).some(isLast), 'the last event')
      return events.slice(from).map(({ id: _, ...event }) => event)
    }
    const isOp = (op: string) => (event: ClientEvent) => event['op'] === op

    test('report every change, to everyone', async () => {
      const name = newGroupName()
      const made = await groupEventsOf(
        () => member.call(createUserGroup, { name, description: '', members: [member.userId] }),
        isOp('add'),
      )
      const group = await groupOf(member, name)
      const { id: user_group_id } = group
      const inner = await newGroup(member)
      await watcher.queue.waitFor((event) => (event['group'] as UserGroup)?.id === inner.id)
      const renamed = newGroupName()
      const groupEvents = await groupEventsOf(
        async () => {
          await member.call(updateUserGroup, { user_group_id, name: renamed, description: '' })
          await member.call(updateUserGroup, { user_group_id, name: renamed })
          await member.call(updateUserGroupMembers, { user_group_id, add: [other.userId] })
          const swap = { add: [guest.userId], delete: [other.userId] }
          await member.call(updateUserGroupMembers, { user_group_id, ...swap })
          await member.call(updateUserGroupSubgroups, { user_group_id, add: [inner.id] })
          await member.call(removeUserGroup, { user_group_id: inner.id })
          await member.call(removeUserGroup, { user_group_id })
        },
        (event) => event['op'] === 'remove' && event['group_id'] === user_group_id,
      )

      const of = { type: 'user_group', group_id: user_group_id }
      expect(made).toEqual([{ type: 'user_group', op: 'add', group }])
      expect(groupEvents).toEqual([
        { ...of, op: 'update', data: { name: renamed } },
        { ...of, op: 'add_members', user_ids: [other.userId] },
        { ...of, op: 'add_members', user_ids: [guest.userId] },
        { ...of, op: 'remove_members', user_ids: [other.userId] },
        { ...of, op: 'add_subgroups', direct_subgroup_ids: [inner.id] },
        { ...of, op: 'remove_subgroups', direct_subgroup_ids: [inner.id] },
        { type: 'user_group', op: 'remove', group_id: inner.id },
        { type: 'user_group', op: 'remove', group_id: user_group_id },
      ])
    })

    test('report a new user', async () => {
      let userId = 0
      const groupEvents = await groupEventsOf(
        async () => {
          userId = (await system().createUser()).userId
        },
        (event) => event['group_id'] === systemGroupIds['role:fullmembers'],
      )

      expect(groupEvents).toEqual(
        [systemGroupIds['role:members'], systemGroupIds['role:fullmembers']].map((group_id) => ({
          type: 'user_group',
          op: 'add_members',
          group_id,
          user_ids: [userId],
        })),
      )
    })

    afterAll(() => owner.call(endpoints.realm.updateRealm, { waiting_period_threshold: 0 }))
    test('report new full members as time passes, and their removal when the waiting period grows', async () => {
      const group_id = systemGroupIds['role:fullmembers']
      const isAbout = (op: string, userId: number) => (event: ClientEvent) =>
        event['op'] === op &&
        event['group_id'] === group_id &&
        (event['user_ids'] as number[]).includes(userId)
      const wait = (waiting_period_threshold: number) =>
        owner.call(endpoints.realm.updateRealm, { waiting_period_threshold })

      await groupEventsOf(() => wait(3), isAbout('remove_members', member.userId))
      const newMember = await system().createUser()
      const before = await groupOf(member, 'role:fullmembers')
      expect(before.members).not.toContain(newMember.userId)
      expect(before.members).not.toContain(member.userId)

      const groupEvents = await groupEventsOf(
        () => joinedDaysAgo(system(), newMember.userId, 3),
        isAbout('add_members', newMember.userId),
      )
      expect(groupEvents.at(-1)).toEqual({
        type: 'user_group',
        op: 'add_members',
        group_id,
        user_ids: [newMember.userId],
      })
      expect((await groupOf(member, 'role:fullmembers')).members).toEqual([newMember.userId])

      await groupEventsOf(() => wait(0), isAbout('add_members', member.userId))
      expect((await groupOf(member, 'role:fullmembers')).members).toEqual(
        expect.arrayContaining([member.userId, newMember.userId]),
      )
    })
  })
}

/** Shifts the joining date of a user into the past, since no test waits for days. */
async function joinedDaysAgo({ system }: TestSystem, userId: number, days: number): Promise<void> {
  const db = createPool(system.databaseUrls.users, 1, createLog('test', 'silent'))
  await db.query('update accounts set date_joined = now() - make_interval(hours => 24 * $2) where id = $1', [
    userId,
    days,
  ])
  await db.end()
}
