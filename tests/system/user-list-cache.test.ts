import { isDeepStrictEqual } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import { unknownUser } from '@tms/contracts'
import {
  createLog,
  createPool,
  type Pool,
  readWithSnapshot,
  transact,
  WrittenList,
  writeJsonFields,
} from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listGroups, listShownCustomGroups } from '../../services/users/src/groups/list-groups.ts'
import { listUserRecordRows } from '../../services/users/src/kernel/accounts/account-list.queries.ts'
import { toUserRecord, type UserRecordRow } from '../../services/users/src/kernel/accounts/user-record.ts'
import { listWaitingMembers } from '../../services/users/src/kernel/groups/waiting-member.queries.ts'
import {
  restrictedVisibility,
  UNRESTRICTED_VISIBILITY,
} from '../../services/users/src/kernel/guest-visibility/user-visibility.ts'
import { currentFieldsOf } from '../../services/users/src/kernel/profiles/current-fields.ts'
import { findOwnAccount } from '../../services/users/src/register-state/own-account.queries.ts'
import { createSystemGroupWriter } from '../../services/users/src/register-state/system-group-texts.ts'
import {
  type RenderedUserLists,
  renderUserLists,
  type UserListReader,
} from '../../services/users/src/user-list-cache/render-user-lists.ts'
import { createUserListCache } from '../../services/users/src/user-list-cache/user-list-cache.ts'

const REALM = 1
/** Some chunks of users, and more that join meanwhile. */
const USERS = 700
const WRITERS = 4
const READERS = 3
const READS_EACH = 150
const EMAIL_HOST = 'tms.example.com'
const FIELD = {
  id: 1,
  type: 1 as const,
  name: 'about',
  hint: '',
  field_data: '',
  order: 1,
  required: false,
  editable_by_user: true,
}
/** With the profile field that users have values for, and without it. */
const PROFILE_FIELDS = [currentFieldsOf([FIELD]), currentFieldsOf([])]

let databases: TestDatabases
let db: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.users, WRITERS + 2 * READERS, createLog('test', 'silent'))
  for (const realm of [REALM, REALM + 1]) await addUsers(db, realm, USERS)
}, 180_000)
afterAll(async () => {
  await db.end()
  await databases.stop()
})

type Runs = Pick<Pool, 'query'>

async function addUsers(on: Runs, realmId: number, count: number): Promise<void> {
  await on.query(
    `with added as (
       insert into accounts (realm_id, email, delivery_email, full_name, api_key, role, is_bot, bot_type)
       select $1, k || '@example.com', k || '@example.com', 'Person ' || k, k, 400, g % 7 = 0, case when g % 7 = 0 then 1 end
         from generate_series(1, $2) g, gen_random_uuid() u, lateral (select u::text || g as k) keys
       returning id
     )
     insert into waiting_members (user_id, realm_id) select id, $1 from added where id % 9 = 0`,
    [realmId, count],
  )
}

const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

/** Changes of data that all or some users see; the last one is invisible. */
const CHANGES = [
  `full_name = 'Ünique "' || gen_random_uuid() || '"'`,
  `role = (array[100, 200, 300, 400, 600])[1 + floor(random() * 5)]`,
  `email_address_visibility = 1 + floor(random() * 5)`,
  'is_active = not is_active',
  `avatar_source = case avatar_source when 'G' then 'U' else 'G' end, avatar_version = avatar_version + 1`,
  `profile_data = jsonb_build_object('1', jsonb_build_object('value', gen_random_uuid()))`,
  `settings = jsonb_build_object('starred_message_counts', random() < 0.5)`,
]

/** Commits and rolls back transactions of several changes each, until it is stopped. Writers use distinct users. */
async function startChanges(writer: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await transact(db, async (tx) => {
      for (let i = 0; i < 3; i++) {
        const person = `select id from accounts where realm_id = ${REALM} and id % ${WRITERS} = ${writer} order by random() limit 1`
        await tx.query(`update accounts set ${anyOf(CHANGES)} where id = (${person})`)
      }
      if (Math.random() < 0.2) await addUsers(tx as unknown as Runs, REALM, 1)
      if (Math.random() < 0.2) throw new Error('given up')
    }).catch((err: Error) => {
      if (err.message !== 'given up') throw err
    })
  }
}

/** The lists as another service gets them: deflated, unless they are the reader's own. */
async function read(
  lists: RenderedUserLists,
  isShared: boolean,
): Promise<Record<keyof RenderedUserLists, unknown>> {
  const [active, inactive, systemBot] = [lists.active, lists.inactive, lists.systemBot].map(
    (items) => new WrittenList(items),
  )
  const { parts, deflatedFrom } = await writeJsonFields({ active, inactive, systemBot }, { mayDeflate: true })
  expect(deflatedFrom !== null).toBe(isShared)
  const bytes = Buffer.concat([...(parts as Iterable<Uint8Array>)])
  // The last block.
  const text = deflatedFrom ? inflateRawSync(Buffer.concat([bytes, Buffer.from([3, 0])])) : bytes
  return JSON.parse(`{${text}}`)
}

/** `expect` would take longer to compare so much than everything else. */
function expectSame(found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted)
}

async function expectLists(
  lists: RenderedUserLists,
  people: readonly UserRecordRow[],
  reader: UserListReader,
): Promise<void> {
  const found = await read(lists, reader.visibility === null)
  const view = { ...reader, viewer: { userId: reader.own.id, role: reader.role } }
  const visibility = reader.visibility ?? UNRESTRICTED_VISIBILITY
  const listOf = (position: keyof RenderedUserLists) =>
    people.flatMap((person) => {
      if (!visibility.canSee(person)) {
        if (position !== 'active' || reader.leavesOutUnknown) return []
        const { is_active: _, ...unknown } = unknownUser(person.id, EMAIL_HOST, { withProfileData: true })
        return [unknown]
      }
      const own = person.isSystemBot ? 'systemBot' : person.isActive ? 'active' : 'inactive'
      return own === position ? [toUserRecord(person, view)] : []
    })
  for (const position of ['active', 'inactive', 'systemBot'] as const)
    expectSame(found[position], JSON.parse(JSON.stringify(listOf(position))))
}

describe('the cached user list', () => {
  test('equals what each transaction sees, for each reader, while everything changes', async () => {
    let isOver = false
    const writers = Array.from({ length: WRITERS }, (_, writer) => startChanges(writer, () => isOver))
    const userListCache = createUserListCache(db)
    const writeSystemGroups = createSystemGroupWriter()
    const { rows } = await db.query<{ id: number }>('select id from accounts where realm_id = $1', [REALM])
    const ids = rows.map(({ id }) => id)

    const startReading = async () => {
      for (let i = 0; i < READS_EACH; i++) {
        const view = {
          role: anyOf([100, 200, 300, 400, 600]),
          clientGravatar: anyOf([true, false]),
          profileFields: anyOf(PROFILE_FIELDS),
        }
        const ownId = anyOf(ids)
        const prepared = await userListCache.prepare(REALM, view)
        await readWithSnapshot(db, async (tx) => {
          const own = await findOwnAccount(tx, REALM, ownId)
          if (!own) throw new Error('nobody has this ID')
          const visibility = anyOf([null, restrictedVisibility(ownId, [anyOf(ids), anyOf(ids)])])
          const reader = {
            ...view,
            ...{
              role: own.role,
              own,
              visibility,
              emailHost: EMAIL_HOST,
              leavesOutUnknown: anyOf([true, false]),
            },
          }
          const snapshot = await userListCache.read(tx, REALM, prepared, reader)
          await expectLists(renderUserLists(snapshot, reader), await listUserRecordRows(tx, REALM), reader)
          const waiting = await listWaitingMembers(tx, REALM)
          const system = JSON.parse(`[${Buffer.from(writeSystemGroups(snapshot, waiting).bytes)}]`)
          expectSame([...system, ...(await listShownCustomGroups(tx, REALM))], await listGroups(tx, REALM))
        })
      }
    }
    await Promise.all(Array.from({ length: READERS }, startReading)).finally(() => {
      isOver = true
    })
    await Promise.all(writers)
  }, 180_000)

  test('is read once if many request it at once', async () => {
    let reads = 0
    const counting = new Proxy(db, {
      get: (target, name) => {
        if (name === 'connect') reads++
        return Reflect.get(target, name, target)
      },
    })
    const userListCache = createUserListCache(counting)
    const view = { role: 400, clientGravatar: true, profileFields: currentFieldsOf([]) }

    const prepared = await Promise.all(
      Array.from({ length: 20 }, () => userListCache.prepare(REALM + 1, view)),
    )

    expect([reads, new Set(prepared).size]).toEqual([1, 1])
    expect(await userListCache.prepare(REALM + 1, view)).toBe(prepared[0])
    expect(reads).toBe(1)
  })
})
