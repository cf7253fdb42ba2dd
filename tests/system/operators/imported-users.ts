import { Readable } from 'node:stream'
import { endpoints, internal, Role, systemGroupIds, type UsersRecord } from '@tms/contracts'
import {
  createInternalClient,
  createInternalStreams,
  createInternalTokenSource,
  type InternalClient,
  type InternalStreams,
} from '@tms/service-kit'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import { beforeAll, expect, test } from 'vitest'
import { GOOD_PASSWORD, keyIn } from '../support/account-pages.ts'
import { linkIn, waitForMail } from '../support/mails.ts'

const { users, messaging } = endpoints

let product: TestSystem
let call: InternalClient
let streams: InternalStreams
const FIRST_ID = 70_000
const OWNER = { id: FIRST_ID, address: 'owner@import.example.com' }
const MEMBER = { id: FIRST_ID + 1, address: 'member@import.example.com' }
const BOT = { id: FIRST_ID + 2, address: 'helper-bot@import.example.com' }
const GROUP_ID = FIRST_ID + 3
const { 'role:everyone': EVERYONE, 'role:nobody': NOBODY } = systemGroupIds

const account = {
  ...{ is_active: true, date_joined: 1_700_000_000, timezone: '', email_address_visibility: 1 as const },
  ...{ avatar_version: 1, avatar_file: null, settings: {}, alert_words: [], muted_users: [], status: {} },
  profile_data: {},
}
const RECORDS: UsersRecord[] = [
  {
    ...{ kind: 'user', ...account, user_id: OWNER.id, delivery_email: OWNER.address },
    ...{ full_name: 'An Owner', role: Role.owner },
    alert_words: ['rhubarb'],
  },
  {
    ...{ kind: 'user', ...account, user_id: MEMBER.id, delivery_email: MEMBER.address },
    ...{ full_name: 'A Member', role: Role.member },
  },
  {
    ...{ kind: 'bot', ...account, user_id: BOT.id, delivery_email: BOT.address },
    ...{ full_name: 'Helper', role: Role.member, bot_type: 1, bot_owner_id: OWNER.id, is_system_bot: false },
    ...{
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    },
    ...{ payload_url: null, service_interface: null },
  },
  {
    ...{ kind: 'user_group', id: GROUP_ID, name: 'crew', description: '', members: [OWNER.id] },
    ...{ direct_subgroup_ids: [], deactivated: false, creator_id: OWNER.id, date_created: 1_700_000_000 },
    ...{ can_add_members_group: NOBODY, can_join_group: NOBODY, can_leave_group: EVERYONE },
    ...{ can_manage_group: NOBODY, can_mention_group: EVERYONE, can_remove_members_group: NOBODY },
  },
]

/** An organization without users, and its host. */
async function newRealm(stringId: string): Promise<{ realmId: number; host: string }> {
  const host = `${stringId}.${product.system.externalHost}`
  const asked = { string_id: stringId, name: `Imported ${stringId}`, url: `http://${host}` }
  const { realm_id } = await call(internal.realm.ensureRealm, asked)
  return { realmId: realm_id, host }
}

function importInto(realmId: number, records: readonly UsersRecord[]) {
  const counts: Record<string, number> = {}
  for (const { kind } of records) counts[kind] = (counts[kind] ?? 0) + 1
  const lines = [...records, { kind: 'end', counts }].map((record) => `${JSON.stringify(record)}\n`)
  return streams.upload(internal.users.importRecords, { realm_id: realmId }, Readable.from(lines))
}

export const importedUserTests = (system: () => TestSystem): void => {
  beforeAll(() => {
    product = system()
    const { urls, keys } = product.system
    const token = createInternalTokenSource('tests', keys.internal.privateKey)
    call = createInternalClient(urls, token)
    streams = createInternalStreams(urls, token)
  })

  test('imported users sign in with a new password, and their bots with a new key', async () => {
    const { realmId, host } = await newRealm('reset')
    const { counts } = await importInto(realmId, RECORDS)
    expect(counts).toEqual({ user: 2, bot: 1, user_group: 1 })
    const clientOf = (id: number, email: string, apiKey: string) =>
      new ApiClient(product.baseUrl, { userId: id, email, apiKey }, undefined, host)
    const anonymous = new ApiClient(product.baseUrl, null, undefined, host)
    const post = (path: string, fields: Record<string, string>) =>
      fetch(`${product.baseUrl}${path}`, {
        method: 'POST',
        headers: { 'x-forwarded-host': host },
        body: new URLSearchParams(fields),
      })
    const resetOf = async (address: string) => {
      await post('/accounts/password/reset/', { email: address })
      const link = linkIn(await waitForMail(product, address, 'new password'))
      await post(`/accounts/password/reset/${keyIn(link)}`, { password: GOOD_PASSWORD })
      const { api_key } = await anonymous.call(users.fetchApiKey, {
        username: address,
        password: GOOD_PASSWORD,
      })
      return api_key
    }

    const owner = clientOf(OWNER.id, OWNER.address, await resetOf(OWNER.address))
    const member = clientOf(MEMBER.id, MEMBER.address, await resetOf(MEMBER.address))
    const { api_key } = await owner.call(users.regenerateBotApiKey, { bot_user_id: BOT.id })
    const bot = clientOf(BOT.id, BOT.address, api_key)

    expect(await bot.call(users.getOwnUser, {})).toMatchObject({ user_id: BOT.id, full_name: 'Helper' })
    const content = 'Some rhubarb for @*crew* from @**Helper**'
    const { id } = await member.call(messaging.sendMessage, { type: 'direct', to: [OWNER.id], content })
    const { message } = await owner.call(messaging.getMessage, { message_id: id, apply_markdown: true })
    expect(message.flags).toEqual(expect.arrayContaining(['mentioned', 'has_alert_word']))
    for (const mark of [`data-user-group-id="${GROUP_ID}"`, `data-user-id="${BOT.id}"`])
      expect(message.content).toContain(mark)
  })

  test('an interrupted import leaves nothing', async () => {
    const { realmId } = await newRealm('broken-people')
    const moved = RECORDS.map((record) => JSON.parse(JSON.stringify(record).replaceAll('700', '710')))
    const lines = moved.map((record) => `${JSON.stringify(record)}\n`)

    const answer = streams.upload(internal.users.importRecords, { realm_id: realmId }, Readable.from(lines))

    await expect(answer).rejects.toThrow('break off')
    const projection = await call(internal.users.listUserProjections, { realm_id: realmId })
    expect(projection.users).toEqual([])
  })
}
