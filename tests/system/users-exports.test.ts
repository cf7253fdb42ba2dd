import { type ExportScope, type UsersRecord, usersRecord } from '@tms/contracts'
import { createLog, createPool, type Pool, type Queryable, type Tx, transact } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportRecords, listExportedFiles } from '../../services/users/src/exports/export-records.ts'
import { importRecords } from '../../services/users/src/exports/import-records.ts'
import { removeImport } from '../../services/users/src/exports/remove-import.ts'
import {
  avatarOf,
  fillUsers,
  insert,
  insertKnownRealm,
  PRIVATE,
  PUBLIC,
  SECRETS,
} from './support/users-contents.ts'

const REALM = 7
const OTHER = 8
const OTHER_BASE = 5_000
const SNAPSHOT = 'begin isolation level repeatable read read only'
const TABLES = [
  'accounts',
  'bots',
  'bot_storage',
  'saved_snippets',
  'scim_accounts',
  'user_groups',
  'invitations',
  'setting_defaults',
  'waiting_members',
  'outbox',
]
const log = createLog('test', 'silent')

let databases: [TestDatabases, TestDatabases]
let source: Pool
let target: Pool
beforeAll(async () => {
  databases = [await startTestDatabases(process.env), await startTestDatabases(process.env)]
  source = createPool(databases[0].urls.users, 4, log)
  target = createPool(databases[1].urls.users, 4, log)
  await fillUsers(source, REALM)
  await fillUsers(source, OTHER, OTHER_BASE, ' of elsewhere')
}, 240_000)
afterAll(async () => {
  await Promise.all([source.end(), target.end()])
  for (const one of databases) await one.stop()
})
beforeEach(async () => {
  await target.query('truncate accounts, user_groups, setting_defaults, known_realms, outbox cascade')
})

/** The records of an export, as in an archive. */
const exported = (db: Pool, scope: ExportScope = 'full', realmId = REALM): Promise<UsersRecord[]> =>
  transact(db, async (tx) => asRead(await all(exportRecords(tx, realmId, scope))), SNAPSHOT)

const asRead = (records: readonly object[]): UsersRecord[] =>
  records.map((record) => usersRecord.parse(JSON.parse(JSON.stringify(record))))

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const value of values) found.push(value)
  return found
}

/** The URL of the organization that is imported. */
const url = 'http://chat.example.org'

const imported = (db: Pool, records: readonly UsersRecord[]): Promise<void> =>
  transact(db, (tx) => importRecords(tx, { realmId: REALM, url }, streamOf(records)))

async function* streamOf<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

const filesOf = (scope: ExportScope): Promise<string[]> =>
  transact(source, (tx) => all(listExportedFiles(tx, REALM, scope)), SNAPSHOT)

/** The whole export as text. */
const textOf = async (scope: ExportScope): Promise<string> =>
  JSON.stringify([await exported(source, scope), await filesOf(scope)]).toLowerCase()

const countsIn = async (db: Pool): Promise<Record<string, number>> => {
  const counts: [string, number][] = []
  for (const table of TABLES) {
    const { rows } = await db.query<{ count: number }>(`select count(*) from ${table}`)
    counts.push([table, rows[0]?.count ?? 0])
  }
  return Object.fromEntries(counts)
}
const NOTHING = Object.fromEntries(TABLES.map((table) => [table, 0]))

describe('a full export', () => {
  test('is equal again after it was imported', async () => {
    const records = await exported(source)

    await imported(target, records)

    expect(records.map(({ kind }) => kind)).toEqual([
      'setting_defaults',
      ...['user', 'user', 'user'],
      ...['bot', 'bot', 'bot'],
      ...['bot_storage', 'bot_storage'],
      ...['saved_snippet', 'saved_snippet'],
      ...['provisioned_user', 'provisioned_user'],
      ...['user_group', 'user_group'],
      ...['invitation', 'invitation'],
    ])
    expect(await exported(target)).toEqual(records)
  })

  test.each(SECRETS)('does not contain %s', async (secret) => {
    expect(await textOf('full')).not.toContain(secret.toLowerCase())
  })

  test('contains nothing of another organization', async () => {
    const text = await textOf('full')

    expect(text).not.toContain('elsewhere')
    expect(text).not.toContain(avatarOf('b'))
    expect(text).not.toMatch(new RegExp(`\\b${OTHER_BASE + 1}\\b`))
    expect(JSON.stringify(await exported(source, 'full', OTHER))).toContain('elsewhere')
  })

  test('names the files of avatars', async () => {
    const file = `avatars/${REALM}/${avatarOf('a')}`
    expect(await filesOf('full')).toEqual([`${file}.original`, `${file}-medium.png`, `${file}.png`])
  })
})

describe('a public export', () => {
  test.each(Object.entries(PRIVATE))('does not contain %s', async (_, word) => {
    expect(await textOf('full')).toContain(word)
    expect(await textOf('public')).not.toContain(word)
  })

  test.each(Object.entries(PUBLIC))('contains %s', async (_, word) => {
    expect(await textOf('public')).toContain(word)
  })

  test('is equal again after it was imported', async () => {
    const records = await exported(source, 'public')

    await imported(target, records)

    expect(await exported(target, 'public')).toEqual(records)
    const { rows } = await target.query('select delivery_email as address from accounts where id = 2')
    expect(rows).toEqual([{ address: 'user2@chat.example.org' }])
  })
})

describe('an export with consent', () => {
  const consent = (consents: boolean) =>
    source.query(`update accounts set settings = settings || $1 where id = 1`, [
      { allow_private_data_export: consents },
    ])
  afterAll(() => consent(false))

  test('of nobody contains no more than a public one', async () => {
    await consent(false)
    const open = await exported(source, 'public')

    expect(await exported(source, 'consent')).toEqual(open)
    expect(await filesOf('consent')).toEqual(await filesOf('public'))
  })

  const { 'an address that its owner shows to nobody': ofAnother, ...own } = PRIVATE
  test.each(Object.entries(own))('contains %s, of a user who consented', async (_, word) => {
    await consent(true)
    expect(await textOf('consent')).toContain(word)
    await consent(false)
    expect(await textOf('consent')).not.toContain(word)
  })

  test('contains nothing of users who did not, and is equal again after an import', async () => {
    await consent(true)
    const records = await exported(source, 'consent')

    expect(JSON.stringify(records)).not.toContain(ofAnother)
    expect(records.filter(({ kind }) => kind === 'saved_snippet')).toMatchObject([{ user_id: 1 }])
    expect(records.filter(({ kind }) => kind === 'provisioned_user')).toMatchObject([{ user_id: 1 }])
    await imported(target, records)
    expect(await exported(target, 'consent')).toEqual(records)
  })
})

describe('an import', () => {
  test('gives addresses of its own host to users who hide theirs, and a secret key to everyone', async () => {
    await imported(target, await exported(source))

    const { rows } = await target.query<Record<'email' | 'key', string> & { password: string | null }>(
      'select email, api_key as key, password_hash as password from accounts order by id',
    )
    expect(rows.map(({ email }) => email)).toEqual([
      'olivia@example.com',
      'user2@chat.example.org',
      'user3@chat.example.org',
      'hook-bot@example.com',
      'bot@example.com',
      'water-bot@example.com',
    ])
    expect(new Set(rows.map(({ key }) => key)).size).toBe(6)
    for (const { key, password } of rows) {
      expect(key).toMatch(/^[A-Za-z0-9]{32}$/)
      expect(password).toBeNull()
    }
    const tokens = await target.query('select service_token as token from bots order by user_id')
    expect(tokens.rows).toEqual([{ token: expect.stringMatching(/^[A-Za-z0-9]{32}$/) }, { token: null }])
  })

  test('renders the HTML of profile values itself', async () => {
    const [owner] = (await exported(source)).filter((record) => record.kind === 'user')
    if (!owner) throw new Error('there is no owner')
    const evil = { value: '*hi*', rendered_value: '<script>alert()</script>' }

    await imported(target, [{ ...owner, muted_users: [], profile_data: { '2': evil } }])

    const { rows } = await target.query('select profile_data as data from accounts')
    const harmless = { value: '*hi*', rendered_value: '<p><em>hi</em></p>' }
    expect(rows).toEqual([{ data: { '2': harmless } }])
  })

  test('publishes every user and every group to other services', async () => {
    await imported(target, await exported(source))

    const { rows } = await target.query<{ payload: string }>(
      `select payload from outbox where event = 'users.organization_imported.v1' and realm_id = $1 order by id`,
      [REALM],
    )
    const delivered = rows.map(({ payload }) => JSON.parse(payload))
    expect(
      delivered.flatMap(({ users }) => users.map(({ user_id }: { user_id: number }) => user_id)),
    ).toEqual([1, 2, 3, 4, 5, 6])
    expect(delivered.flatMap(({ groups }) => groups)).toEqual([
      expect.objectContaining({ group_id: 101, member_ids: [1, 2], subgroup_ids: [3, 102] }),
      expect.objectContaining({ group_id: 102 }),
    ])
  })

  test('reserves its IDs', async () => {
    await imported(target, await exported(source, 'full'))

    const { rows } = await target.query<{ id: number }>(
      `with account as (
         insert into accounts (realm_id, email, delivery_email, full_name, api_key, role)
         values (1, 'x', 'x', 'x', 'x', 400) returning id),
       made as (
         insert into user_groups (realm_id, name, name_key, description, member_ids, subgroup_ids, permissions)
         values (1, 'x', 'x', '', '{}', '{}', '{}') returning id)
       select id from account union all select id from made`,
    )
    expect(rows[0]?.id).toBeGreaterThan(6)
    expect(rows[1]?.id).toBeGreaterThan(102)
  })

  const taker = (id: number): object => ({
    ...{
      id,
      realm_id: 1,
      email: `${id}`,
      delivery_email: `${id}`,
      full_name: 'x',
      api_key: `${id}`,
      role: 400,
    },
    ...{ is_active: true, is_bot: false, is_system_bot: false, timezone: '', date_joined: new Date() },
    ...{ avatar_source: 'G', avatar_version: 1, email_address_visibility: 1, version: 1 },
    ...{ settings: {}, alert_words: [], muted_users: [], status: {}, profile_data: {} },
  })
  const group = {
    ...{ id: 102, realm_id: 1, name: 'x', name_key: 'x', description: '', version: 1 },
    ...{ member_ids: [], subgroup_ids: [], permissions: {} },
  }
  const invitation = {
    ...{ id: 2, realm_id: 1, email: 'x', creator_id: 900, invited_as: 400, channel_ids: [] },
    ...{ with_default_channels: true, notify_creator: true, invited_at: new Date() },
  }
  test.each([
    ['a user', 'accounts', taker(2), 'These IDs of accounts are taken: 2'],
    ['a bot', 'accounts', taker(5), 'These IDs of accounts are taken: 5'],
    ['a group', 'user_groups', group, 'These IDs of user groups are taken: 102'],
    ['an invitation', 'invitations', invitation, 'These IDs of invitations are taken: 2'],
  ])('is rejected in full when the ID of %s is taken', async (_, table, row, message) => {
    await insert(target, 'accounts', [taker(900)])
    await insert(target, table, [row])
    const before = await countsIn(target)

    await expect(imported(target, await exported(source))).rejects.toThrow(message)

    expect(await countsIn(target)).toEqual(before)
  })

  test('is rejected for an organization that has accounts', async () => {
    const records = await exported(source)
    await imported(target, records)

    await expect(imported(target, records)).rejects.toThrow('has accounts here already')
  })

  type Change = (record: UsersRecord) => UsersRecord
  const changing =
    <Kind extends UsersRecord['kind']>(kind: Kind, change: object): Change =>
    (record) =>
      record.kind === kind ? ({ ...record, ...change } as UsersRecord) : record
  test.each<[string, Change, string]>([
    ['a bot of someone else', changing('bot', { bot_owner_id: 900 }), 'The owner of the bot 4'],
    ['what is stored by a bot of elsewhere', changing('bot_storage', { user_id: 900 }), 'stored by no bot'],
    ['what is stored by a person', changing('bot_storage', { user_id: 1 }), 'stored by no bot'],
    ['a provisioned user of elsewhere', changing('provisioned_user', { user_id: 900 }), 'nobody of the'],
    ['a saved snippet of someone else', changing('saved_snippet', { user_id: 900 }), 'belongs to no user'],
    ['two values under one key', changing('bot_storage', { key: 'a' }), 'twice under one key'],
    ['someone else being muted', changing('user', { muted_users: [{ id: 900, timestamp: 1 }] }), 'mutes 900'],
    [
      'someone else in a group',
      changing('user_group', { members: [900] }),
      'has 900, who is not a user of the organization',
    ],
    ['a group of elsewhere', changing('user_group', { direct_subgroup_ids: [900] }), 'has the group 900'],
    [
      'someone else who may mention',
      changing('user_group', { can_mention_group: { direct_members: [900], direct_subgroups: [] } }),
      'has 900, who is not a user of the organization',
    ],
    [
      'a creator of elsewhere',
      changing('user_group', { creator_id: 900 }),
      'has 900, who is not a user of the organization',
    ],
    [
      'groups of elsewhere who may manage',
      changing('user_group', { can_manage_group: 900 }),
      'has the group 900',
    ],
    [
      'a group in itself',
      changing('user_group', { direct_subgroup_ids: [101] }),
      'The user group 101 is within',
    ],
    [
      'an invitation of someone else',
      changing('invitation', { invited_by_user_id: 900 }),
      'The invitation 1',
    ],
  ])('is rejected in full for %s', async (_, change, message) => {
    // A user of another organization, without any relation to it.
    await insert(target, 'accounts', [taker(900)])
    const records = (await exported(source)).map(change)

    await expect(imported(target, records)).rejects.toThrow(message)

    expect(await countsIn(target)).toEqual({ ...NOTHING, accounts: 1 })
  })

  test('is undone in full, which other services receive', async () => {
    await imported(target, await exported(source))

    await transact(target, (tx) => removeImport(tx, REALM))

    const { rows } = await target.query('select event, payload from outbox order by id desc limit 1')
    expect(rows).toEqual([{ event: 'users.users_removed.v1', payload: JSON.stringify({ realm_id: REALM }) }])
    await target.query('delete from outbox')
    expect(await countsIn(target)).toEqual(NOTHING)
  })

  test('is not undone once the organization is open', async () => {
    await imported(target, await exported(source))
    await insertKnownRealm(target, REALM)

    await expect(transact(target, (tx) => removeImport(tx, REALM))).rejects.toThrow('is open')
  })
})

describe('a large organization', () => {
  const USERS = 3_000
  /** Far fewer than exist, so that memory does not grow with them. */
  const MAX_AT_ONCE = 1_000

  /** The transaction, with the largest number of rows of one statement, and the longest parameter. */
  function watch(tx: Tx): { tx: Tx; most: { rows: number; characters: number } } {
    const most = { rows: 0, characters: 0 }
    const query: Queryable['query'] = async (sql, values) => {
      const result = await tx.query<never>(sql, values)
      most.rows = Math.max(most.rows, result.rows?.length ?? 0)
      for (const value of values ?? []) most.characters = Math.max(most.characters, String(value).length)
      return result
    }
    return { tx: { ...tx, query }, most }
  }

  test('is exported and imported in parts', async () => {
    await source.query(
      `insert into accounts (id, realm_id, email, delivery_email, full_name, api_key, role)
       overriding system value
       select 10000 + n, 9, 'user' || n || '@example.com', 'user' || n || '@example.com', 'User ' || n, 'many' || n, 400
         from generate_series(1, $1::int) as n`,
      [USERS],
    )

    const given = await transact(
      source,
      async (tx) => {
        const { tx: watched, most } = watch(tx)
        const seen = await transact(target, async (into) => {
          const { tx: watchedInto, most: mostInto } = watch(into)
          await importRecords(watchedInto, { realmId: 9, url }, exportRecords(watched, 9, 'full'))
          return mostInto
        })
        return { most, seen }
      },
      SNAPSHOT,
    )

    const { rows } = await target.query<{ count: number }>('select count(*) from accounts where realm_id = 9')
    expect(rows[0]?.count).toBe(USERS)
    expect(given.most.rows).toBeLessThanOrEqual(MAX_AT_ONCE)
    expect(given.seen.rows).toBeLessThanOrEqual(MAX_AT_ONCE)
    expect(given.seen.characters).toBeLessThan(MAX_AT_ONCE * 1_000)
  })
})
