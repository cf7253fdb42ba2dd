import { domainEvents, internal, type UserGroupProjection, type UserProjection } from '@tms/contracts'
import {
  applyInOwnTransaction,
  applyRecords,
  createLog,
  createPool,
  followOwner,
  handlersOf,
  type InternalClient,
  loadProjection,
  type Pool,
  projectionOwner,
  repairRecords,
  transact,
} from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { knownGroups } from '../../services/messaging/src/projections/group-projection.ts'
import { knownUsers } from '../../services/messaging/src/projections/user-projection.ts'

const log = createLog('test', 'silent')
let databases: TestDatabases
let db: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.messaging, 3, log)
}, 180_000)
afterAll(async () => {
  await db.end()
  await databases.stop()
})

/** The users service: its current records, and what it does while it is asked for them. */
const usersService = {
  users: new Map<number, UserProjection>(),
  groups: new Map<number, UserGroupProjection>(),
  meanwhile: async () => {},
}
beforeEach(async () => {
  usersService.users.clear()
  usersService.groups.clear()
  usersService.meanwhile = async () => {}
  await db.query('truncate known_users, known_groups, drafts')
})
const call = (async ({ name }: { name: string }, { user_ids }: { user_ids?: number[] }) => {
  const users = [...usersService.users.values()]
  const groups = [...usersService.groups.values()]
  if (name === internal.users.listUserGroupProjections.name) return { groups }
  const returned = user_ids ? users.filter(({ user_id }) => user_ids.includes(user_id)) : users
  await usersService.meanwhile()
  return { users: returned }
}) as unknown as InternalClient

const owner = projectionOwner({
  source: 'users',
  events: Object.values(domainEvents.users),
  changes: internal.users.listUsersChanges,
  projections: [knownUsers, knownGroups],
  dropCaches: () => {},
})
const handlers = new Map(handlersOf([owner], []).map(({ event, apply }) => [event, apply]))

/** The ways by which records come. */
const receive = (event: { name: string }, payload: object) =>
  transact(db, async (tx) => handlers.get(event.name)?.(tx, payload as never, {} as never))
const announce = async (changes: object) => {
  const none = { identity_user_ids: [], identity_realm_ids: [], users: [], groups: [], removed_group_ids: [] }
  const announcement = {
    epoch: 'e',
    source: 'users',
    seq: 1,
    cursor: '1',
    changes: { ...none, ...changes },
  } as const
  await followOwner({ db, call, log, owner }).apply(announcement)
}
const load = () => loadProjection({ db, call }, knownUsers)
const replay = (users: readonly UserProjection[]) => repairRecords(db, call, knownUsers, users)

const aUser = (user_id: number, version: number, syncsDrafts = true): UserProjection => ({
  ...{ user_id, version, realm_id: 1, email: `${user_id}@example.org`, full_name: `Version ${version}` },
  ...{ role: 400, is_bot: false, is_active: true, avatar_url: '', is_gravatar: false, date_joined: 0 },
  ...{ bot_owner_id: null, is_system_bot: false, email_address_visibility: 1 },
  ...{ alert_words: [], muted_user_ids: [] },
  settings: { enable_drafts_synchronization: syncsDrafts } as UserProjection['settings'],
})
const aGroup = (group_id: number, version: number, is_deleted = false): UserGroupProjection => ({
  ...{ group_id, version, is_deleted, realm_id: 1, name: `Version ${version}` },
  ...{ member_ids: [1, 2], subgroup_ids: [], can_mention_group: 4 },
})
const nameOf = async (userId: number): Promise<unknown> => {
  const { rows } = await db.query<{ name: string }>(
    `select projection ->> 'full_name' as name from known_users where user_id = $1`,
    [userId],
  )
  return rows[0]?.name
}
const namesOfGroups = async (): Promise<unknown[]> => {
  const { rows } = await db.query<{ name: string }>(
    'select name from known_groups where not is_deleted order by 1',
  )
  return rows.map(({ name }) => name)
}
const draftsOf = async (userId: number): Promise<number> => {
  const { rows } = await db.query<{ drafts: number }>(
    'select count(*)::int as drafts from drafts where user_id = $1',
    [userId],
  )
  return rows[0]?.drafts ?? 0
}
const insertDraft = (userId: number) =>
  db.query(
    `insert into drafts (user_id, type, recipient_ids, topic, content, last_edited_at) values ($1, 'private', '{}', '', 'text', 1)`,
    [userId],
  )

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, at) =>
    permutationsOf(items.filter((_, index) => index !== at)).map((rest) => [item, ...rest]),
  )
}

describe('records of another service', () => {
  test('are as new as the newest that arrived, in whatever order and by whatever way they arrive', async () => {
    const wrong: string[] = []
    let userId = 0
    const ways: Record<string, () => Promise<unknown>> = {
      'event of 1': () => receive(domainEvents.users.userUpdated, { projection: aUser(userId, 1) }),
      'event of 2': () => receive(domainEvents.users.settingsUpdated, { projection: aUser(userId, 2) }),
      'announcement of 2': () => announce({ users: [aUser(userId, 2)] }),
      'answer about a missing user': () => applyInOwnTransaction(db, knownUsers, [aUser(userId, 1)]),
      load,
      replay: () => replay([aUser(userId, 3)]),
    }
    for (const order of permutationsOf(Object.keys(ways)).filter((_, at) => at % 5 === 0)) {
      usersService.users.clear()
      usersService.users.set(++userId, aUser(userId, 3))
      for (const way of order) await ways[way]?.()
      if ((await nameOf(userId)) !== 'Version 3') wrong.push(order.join(', '))
    }
    expect(userId).toBe(144)
    expect(wrong).toEqual([])
  })

  test('stay deleted, whatever older records arrive by whatever way', async () => {
    const wrong: string[] = []
    let groupId = 0
    const ways: Record<string, () => Promise<unknown>> = {
      'event of 1': () => receive(domainEvents.users.userGroupCreated, { projection: aGroup(groupId, 1) }),
      'event of 2': () => receive(domainEvents.users.userGroupUpdated, { projection: aGroup(groupId, 2) }),
      'announced deletion': () => announce({ removed_group_ids: [groupId] }),
      'event of the deletion': () =>
        receive(domainEvents.users.userGroupDeactivated, { projection: aGroup(groupId, 3, true) }),
      'load without it': () => loadProjection({ db, call }, knownGroups),
    }
    for (const order of permutationsOf(Object.keys(ways))) {
      groupId++
      for (const way of order) await ways[way]?.()
      if ((await namesOfGroups()).length > 0) wrong.push(order.join(', '))
    }
    expect(groupId).toBe(120)
    expect(wrong).toEqual([])
  })

  test('that were announced as deleted do not come back with events from before', async () => {
    await receive(domainEvents.users.userGroupCreated, { projection: aGroup(1, 1) })
    await announce({ removed_group_ids: [1] })
    await receive(domainEvents.users.userGroupUpdated, { projection: aGroup(1, 2) })

    expect(await namesOfGroups()).toEqual([])
  })

  test('come with all users and groups of an imported organization', async () => {
    await receive(domainEvents.users.organizationImported, {
      users: [aUser(1, 1), aUser(2, 4)],
      groups: [aGroup(1, 1), aGroup(2, 5)],
    })

    expect([await nameOf(1), await nameOf(2)]).toEqual(['Version 1', 'Version 4'])
    expect(await namesOfGroups()).toEqual(['Version 1', 'Version 5'])
  })
})

describe('drafts of a user who turns off their synchronization', () => {
  test.each<[string, (user: UserProjection) => Promise<unknown>]>([
    ['an event', (user) => receive(domainEvents.users.settingsUpdated, { projection: user })],
    ['an announcement', (user) => announce({ users: [user] })],
    ['a load', load],
    ['an answer about a missing user', (user) => applyInOwnTransaction(db, knownUsers, [user])],
    ['a replay', (user) => replay([user])],
  ])('are deleted by %s', async (_, bring) => {
    await transact(db, (tx) => applyRecords(tx, knownUsers, [aUser(1, 1)]))
    await insertDraft(1)
    const changed = aUser(1, 2, false)
    usersService.users.set(1, changed)

    await bring(changed)

    expect(await draftsOf(1)).toBe(0)
  })

  test('are not deleted by a late event, once it is on again', async () => {
    await announce({ users: [aUser(1, 2, false)] })
    await announce({ users: [aUser(1, 3)] })
    await insertDraft(1)

    await receive(domainEvents.users.settingsUpdated, { projection: aUser(1, 2, false) })

    expect(await draftsOf(1)).toBe(1)
  })
})

describe('a replay', () => {
  test('replaces records that are ahead of their owner, as after it was restored', async () => {
    await receive(domainEvents.users.userUpdated, { projection: aUser(1, 9) })
    usersService.users.set(1, aUser(1, 4))

    expect(await replay([aUser(1, 4)])).toBe(1)
    expect(await nameOf(1)).toBe('Version 4')
    await receive(domainEvents.users.userUpdated, { projection: aUser(1, 5) })
    expect(await nameOf(1)).toBe('Version 5')
  })

  test('does not replace what arrives while it asks the owner', async () => {
    await receive(domainEvents.users.userUpdated, { projection: aUser(1, 9) })
    usersService.users.set(1, aUser(1, 4))
    usersService.meanwhile = () =>
      receive(domainEvents.users.userUpdated, { projection: aUser(1, 10) }).then(() => {})

    expect(await replay([aUser(1, 4)])).toBe(0)
    expect(await nameOf(1)).toBe('Version 10')
  })

  test('brings back records that were wrongly marked as deleted', async () => {
    await receive(domainEvents.users.userGroupCreated, { projection: aGroup(1, 1) })
    await announce({ removed_group_ids: [1] })
    usersService.groups.set(1, aGroup(1, 1))

    expect(await repairRecords(db, call, knownGroups, [aGroup(1, 1)])).toBe(1)
    expect(await namesOfGroups()).toEqual(['Version 1'])
  })

  test('changes nothing where only the version is behind', async () => {
    await receive(domainEvents.users.userUpdated, { projection: aUser(1, 1) })
    const newer = { ...aUser(1, 1), version: 2 }
    usersService.users.set(1, newer)

    expect(await replay([newer])).toBe(0)
  })
})
