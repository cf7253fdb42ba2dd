import { randomUUID } from 'node:crypto'
import { endpoints, MAX_AUDIT_DETAILS_LENGTH, Role } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestOrganization, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal } from './support/answers.ts'
import { type AuditQuery, listEntries, newestEntry } from './support/audit-entries.ts'
import { until } from './support/until.ts'
import { newChannel, newUserOfRole, sendToChannel } from './support/users-and-channels.ts'

const { listAuditLog, exportAuditLog, updateRealm, addLinkifier, removeLinkifier } = endpoints.realm
const DAY_MS = 86_400_000
const { createProfileField } = endpoints.realm
const { createBot, updateUser, deactivateUser, reactivateUser } = endpoints.users
const { regenerateSigningSecret } = endpoints.messaging
const { getEvents, register } = endpoints.events
const { createUserGroup, updateUserGroup, updateUserGroupMembers } = endpoints.users
const { updateChannel, archiveChannel, deleteMessage, unsubscribe } = endpoints.messaging

let product: TestSystem
let realmDb: Pool
let messagingDb: Pool
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { realm: 2 },
    serviceEnv: { TRUST_PROXY: 'true' },
  })
  realmDb = createPool(product.system.databaseUrls.realm, 2, createLog('tests', 'silent'))
  messagingDb = createPool(product.system.databaseUrls.messaging, 1, createLog('tests', 'silent'))
}, 180_000)
afterAll(async () => {
  await realmDb?.end()
  await messagingDb?.end()
  await product?.stop()
})

const list = (filter: AuditQuery = {}, reader: ApiClient = product.owner) => listEntries(reader, filter)
const entryOf = (filter: AuditQuery) => newestEntry(product.owner, filter)
/** Fields that an entry of a user's request has. */
const by = (user: ApiClient) => ({ actor_kind: 'user', actor_id: user.userId })
const aboutUser = (user: ApiClient): AuditQuery => ({ target_type: 'user', target_id: user.userId })
const organizationEntry = { target_type: null, target_ids: [] }

/** Stores entries as if they had been stored so long ago. */
const insertEntries = (
  realmId: number,
  entries: readonly { readonly id: number; readonly daysAgo: number }[],
) =>
  realmDb.query(
    `insert into audit_log (realm_id, id, at, actor_kind, action)
     select $1, id, now() - make_interval(days => "daysAgo"), 'system', 'user_created'
       from jsonb_to_recordset($2) as entry (id int, "daysAgo" int)`,
    [realmId, JSON.stringify(entries)],
  )

/** Publishes an entry as messaging would. */
async function sendEntry({ realmId, at }: { readonly realmId: number; readonly at: number }): Promise<void> {
  const entries = [{ action: 'messages_deleted', target: { type: 'message', ids: [1] } }]
  const audit = { origin: { actorKind: 'system', actorId: null, address: null, client: null }, entries }
  const event = { stream: randomUUID(), seq: 1, at, realm_id: realmId, request_id: null, audit }
  await messagingDb.query('insert into audit_outbox (body) values ($1)', [JSON.stringify(event)])
}

describe('an entry tells who did what', () => {
  test('when a role changes, with both roles', async () => {
    const user = await product.createUser()
    await product.owner.call(updateUser, { user_id: user.userId, role: Role.moderator })

    expect(await entryOf({ actions: ['user_role_changed'], ...aboutUser(user) })).toMatchObject({
      ...by(product.owner),
      details: { before: Role.member, after: Role.moderator },
    })
  })

  test('when an account is created, deactivated and reactivated', async () => {
    const user = await product.createUser()
    await product.owner.call(deactivateUser, { user_id: user.userId })
    await product.owner.call(reactivateUser, { user_id: user.userId })

    await entryOf({ actions: ['user_reactivated'], ...aboutUser(user) })
    const actions = ['user_created', 'user_deactivated', 'user_reactivated']
    const entries = await list({ actions, ...aboutUser(user) })
    expect(entries.map(({ action }) => action)).toEqual(actions.toReversed())
    expect(entries[0]).toMatchObject(by(product.owner))
  })

  test('when somebody changes their own name', async () => {
    const user = await product.createUser()
    await user.call(endpoints.users.updateSettings, { full_name: 'Another Name' })

    expect(await entryOf({ actions: ['user_renamed'], ...aboutUser(user) })).toMatchObject({
      ...by(user),
      details: { after: 'Another Name' },
    })
  })

  test('when settings of the organization change, with old and new values', async () => {
    await product.owner.call(updateRealm, { mandatory_topics: true })
    await product.owner.call(updateRealm, { mandatory_topics: false })

    const filter = { actions: ['organization_updated'] }
    await until(async () => (await list(filter)).length === 2)
    expect((await list(filter))[0]).toMatchObject({
      ...by(product.owner),
      ...organizationEntry,
      details: { before: { mandatory_topics: true }, after: { mandatory_topics: false } },
    })
  })

  test('when a linkifier is added and removed, with what it was', async () => {
    const linkifier = { pattern: 'audit-(?P<id>x)', url_template: 'https://example.com/{id}' }
    const { id } = await product.owner.call(addLinkifier, linkifier)
    await product.owner.call(removeLinkifier, { filter_id: id })

    const filter = { actions: ['linkifiers_changed'] }
    await until(async () => (await list(filter)).length === 2)
    const [removed, added] = await list(filter)
    expect(added).toMatchObject({
      ...by(product.owner),
      details: { before: [], after: [{ id, ...linkifier }] },
    })
    expect(removed?.details).toEqual({ before: [{ id, ...linkifier }], after: [] })
  })

  test('when a channel is created, renamed and archived', async () => {
    const moderator = await newUserOfRole(product, Role.administrator)
    const channel = await newChannel(moderator)
    await moderator.call(updateChannel, { stream_id: channel.id, new_name: `${channel.name} renamed` })
    await moderator.call(archiveChannel, { stream_id: channel.id })

    const filter = { target_type: 'channel', target_id: channel.id } as const
    await entryOf({ ...filter, actions: ['channel_archived'] })
    const entries = await list(filter)
    expect(entries.map(({ action }) => action)).toEqual([
      'channel_archived',
      'channel_updated',
      'channel_created',
    ])
    for (const entry of entries) expect(entry).toMatchObject(by(moderator))
    expect(entries[1]?.details).toEqual({
      before: { name: channel.name },
      after: { name: `${channel.name} renamed` },
    })
  })

  test('when users are subscribed to a channel in one call, and when one leaves it', async () => {
    const [one, other] = [await product.createUser(), await product.createUser()]
    const channel = await newChannel(product.owner, { others: [one, other] })
    await one.call(unsubscribe, { subscriptions: [channel.name] })

    const left = await entryOf({ actions: ['channel_member_removed'], channel_id: channel.id })
    expect(left).toMatchObject({ ...by(one), target_type: 'user', target_ids: [one.userId] })
    const filter = { actions: ['channel_member_added'], channel_id: channel.id }
    const added = await list(filter)
    expect(new Set(added.flatMap(({ target_ids }) => target_ids))).toEqual(
      new Set([product.owner.userId, one.userId, other.userId]),
    )
    const ofOne = await list({ ...filter, ...aboutUser(one) })
    expect(ofOne).toEqual(await list({ ...filter, ...aboutUser(other) }))
    expect(ofOne).toHaveLength(1)
    for (const entry of added) expect(entry).toMatchObject(by(product.owner))
  })

  test('when members of a user group change, and its name', async () => {
    const [one, other] = [await product.createUser(), await product.createUser()]
    const { group_id } = await product.owner.call(createUserGroup, {
      name: 'audited',
      description: '',
      members: [one.userId],
    })
    await product.owner.call(updateUserGroup, { user_group_id: group_id, name: 'audited too' })
    await product.owner.call(updateUserGroupMembers, {
      user_group_id: group_id,
      add: [other.userId],
      delete: [one.userId],
    })

    await entryOf({ actions: ['user_group_member_removed'], group_id })
    const entries = await list({ group_id })
    expect(entries.map(({ action, target_ids }) => [action, target_ids])).toEqual([
      ['user_group_member_removed', [one.userId]],
      ['user_group_member_added', [other.userId]],
      ['user_group_updated', [group_id]],
      ['user_group_member_added', [one.userId]],
      ['user_group_created', [group_id]],
    ])
    expect(entries[2]?.details).toEqual({ before: { name: 'audited' }, after: { name: 'audited too' } })
  })

  test('when a message is deleted, without what it said', async () => {
    const channel = await newChannel(product.owner)
    const id = await sendToChannel(product.owner, channel.id, 'nobody may know', 'a confidential topic')
    await product.owner.call(deleteMessage, { message_id: id })

    const entry = await entryOf({ actions: ['messages_deleted'], channel_id: channel.id })
    expect(entry).toMatchObject({ ...by(product.owner), target_type: 'message', target_ids: [id] })
    expect(JSON.stringify(entry)).not.toMatch(/confidential|nobody may know/)
  })

  test('when the secret of an outgoing webhook is replaced, without the secret', async () => {
    const { user_id } = await product.owner.call(createBot, {
      ...{ full_name: 'Called', short_name: 'called', bot_type: 3, payload_url: 'https://example.com/' },
      service_name: 'called',
    })
    const { secret } = await product.owner.call(regenerateSigningSecret, { bot_user_id: user_id })

    const filter = { target_type: 'user', target_id: user_id } as const
    const entry = await entryOf({ actions: ['signing_secret_replaced'], ...filter })
    expect(entry).toMatchObject({ ...by(product.owner), details: null })
    expect(JSON.stringify(entry)).not.toContain(secret)
  })

  test('with the address and the program of the client, and the request', async () => {
    const user = await product.createUser()
    const answer = await product.owner.fetch(`/api/v1/users/${user.userId}`, {
      method: 'PATCH',
      headers: { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'AuditTest/1.0', 'x-request-id': 'traced' },
      body: new URLSearchParams({ role: String(Role.guest) }),
    })
    expect(answer.status).toBe(200)

    expect(await entryOf({ actions: ['user_role_changed'], ...aboutUser(user) })).toMatchObject({
      ...{ ip_address: '203.0.113.7', client: 'AuditTest', request_id: expect.any(String) },
    })
  })
})

describe('the log', () => {
  test('is for administrators alone', async () => {
    const refused = refusal('UNAUTHORIZED_PRINCIPAL')
    for (const role of [Role.moderator, Role.member, Role.guest]) {
      const user = await newUserOfRole(product, role)
      expect(await user.send(listAuditLog, {})).toMatchObject(refused)
      expect(await user.send(exportAuditLog, {})).toMatchObject(refused)
    }
    const administrator = await newUserOfRole(product, Role.administrator)
    expect((await administrator.send(listAuditLog, {})).status).toBe(200)
  })

  test("shows nothing of another organization, whatever it's asked for", async () => {
    const other: TestOrganization = await product.createOrganization('audited')
    await until(async () => (await list({}, other.owner)).length > 0)
    const user = await product.createUser()
    await entryOf(aboutUser(user))

    expect(await list(aboutUser(user), other.owner)).toEqual([])
    const { rows } = await realmDb.query<{ id: number }>('select id from audit_log where realm_id = $1', [
      other.realmId,
    ])
    const seen = await list({ limit: 1_000 }, other.owner)
    expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => Number(id))))
  })

  test('is read page by page, the newest first, each entry once', async () => {
    const user = await product.createUser()
    for (const role of [Role.moderator, Role.guest, Role.member, Role.moderator])
      await product.owner.call(updateUser, { user_id: user.userId, role })
    const filter = { ...aboutUser(user), actions: ['user_role_changed'] }
    await until(async () => (await list(filter)).length === 4)

    const first = await product.owner.call(listAuditLog, { ...filter, limit: 3 })
    const before_id = first.entries.at(-1)?.id
    const second = await product.owner.call(listAuditLog, { ...filter, limit: 3, before_id })
    expect([first.found_oldest, second.found_oldest]).toEqual([false, true])
    expect([...first.entries, ...second.entries]).toEqual(await list(filter))
    expect(first.entries.map(({ details }) => details?.['after'])).toEqual([
      Role.moderator,
      Role.member,
      Role.guest,
    ])
  })

  test('is filtered by actor and by time', async () => {
    const actor = await newUserOfRole(product, Role.administrator)
    const user = await product.createUser()
    await actor.call(updateUser, { user_id: user.userId, role: Role.moderator })
    const { time } = await entryOf({ actor_id: actor.userId })

    expect((await list({ actor_id: actor.userId })).every(({ actor_id }) => actor_id === actor.userId)).toBe(
      true,
    )
    expect(await list({ actor_id: actor.userId, until: time })).toEqual([])
    expect(await list({ actor_id: actor.userId, since: time + 0.001 })).toEqual([])
    expect(await list({ actor_id: actor.userId, since: time })).toHaveLength(1)
  })

  test.each<[string, AuditQuery]>([
    ['an ID without the type of its object', { target_id: 1 }],
    ['a time that ends before it begins', { since: 1_700_000_000, until: 1_600_000_000 }],
    ['a time that ends when it begins', { since: 1_700_000_000, until: 1_700_000_000 }],
    ['an action that there is not', { actions: ['signed_in', 'signed_inn'] }],
  ])('refuses %s, also in an export', async (_, query) => {
    for (const endpoint of [listAuditLog, exportAuditLog])
      expect(await product.owner.send(endpoint, query)).toMatchObject(refusal('BAD_REQUEST'))
  })

  test('says what a time must be', async () => {
    const answer = await product.owner.fetch('/api/v1/realm/audit_log?since=2026-01-01')
    expect(await answer.json()).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Argument "since" is not valid JSON; it must be a number of UNIX seconds.',
    })
  })

  test('finds by its time what came late, among newer entries', async () => {
    const { owner, realmId } = await product.createOrganization('late')
    await until(async () => (await list({}, owner)).length > 0)
    const now = Date.now()
    await insertEntries(realmId, [{ id: 7_000, daysAgo: 0 }])
    await sendEntry({ realmId, at: now - 10 * DAY_MS })
    const around = { since: now / 1_000 - 10 * 86_400 - 1, until: now / 1_000 - 10 * 86_400 + 1 }

    await until(async () => (await list(around, owner)).length === 1)
    expect((await list(around, owner))[0]?.id).toBeGreaterThan(7_000)
    expect(await list({ until: around.since }, owner)).toEqual([])
    expect((await list({ since: around.until }, owner)).map(({ id }) => id)).toContain(7_000)
  })

  test('cuts off details that are too long, and says so', async () => {
    const texts = Array.from({ length: 300 }, (_, nth) => [
      `${nth}`,
      { text: `choice ${nth}`.repeat(5), order: `${nth}` },
    ])
    await product.owner.call(createProfileField, {
      ...{ name: 'Long', field_type: 3, field_data: Object.fromEntries(texts) },
    })

    const { details } = await entryOf({ actions: ['profile_fields_changed'] })
    expect(details).toMatchObject({
      before: [],
      after: expect.stringMatching(/choice 0.*…$/),
      truncated: ['after'],
    })
    expect(JSON.stringify(details).length).toBeLessThanOrEqual(MAX_AUDIT_DETAILS_LENGTH)
  })

  test('takes IDs of any size, splits what has many targets, and goes on after what it cannot store', async () => {
    const large = 28_000_000_000
    const many = Array.from({ length: 250 }, (_, nth) => large + nth)
    const at = Date.now()
    const stream = randomUUID()
    const { rows: realms } = await realmDb.query<{ id: number }>("select id from realms where string_id = ''")
    for (const [nth, ids] of [[large], [1e25], many].entries()) {
      const entries = [{ action: 'messages_deleted', target: { type: 'message', ids }, channelId: large }]
      const audit = { origin: { actorKind: 'system', actorId: null, address: null, client: null }, entries }
      const event = { stream, seq: nth + 1, at, realm_id: realms[0]?.id, request_id: null, audit }
      await messagingDb.query('insert into audit_outbox (body) values ($1)', [JSON.stringify(event)])
    }

    const filter = { channel_id: large }
    await until(async () => (await list(filter)).length === 4)
    const stored = (await list(filter)).toReversed().map(({ target_ids }) => target_ids)
    expect(stored).toEqual([[large], many.slice(0, 100), many.slice(100, 200), many.slice(200)])
    const found = await list({ target_type: 'message', target_id: large + 249 })
    expect(found.map(({ target_ids }) => target_ids)).toEqual([many.slice(200)])
    const { rows } = await realmDb.query('select seq from audit_set_aside where stream = $1', [stream])
    expect(rows).toEqual([{ seq: 2 }])
  })

  test('has no entry for a message sent', async () => {
    const channel = await newChannel(product.owner)
    await entryOf({ channel_id: channel.id })
    const count = (await list({ limit: 1_000 })).length
    await sendToChannel(product.owner, channel.id)
    const user = await product.createUser()
    await entryOf({ actions: ['user_created'], ...aboutUser(user) })

    const since = (await list({ limit: 1_000 })).slice(0, -count)
    expect(since.filter(({ action }) => action.includes('message'))).toEqual([])
  })

  test('can be neither changed nor shortened in the database', async () => {
    await entryOf({})
    for (const statement of [
      "update audit_log set action = 'nothing'",
      'delete from audit_log',
      'truncate audit_log',
    ])
      await expect(realmDb.query(statement)).rejects.toThrow('neither changed nor deleted')
  })
})

describe('the retention of the log', () => {
  const daysOf = async (realmId: number, owner: ApiClient) =>
    (await list({ until: Date.now() / 1_000 - 20 * 86_400 }, owner)).map(({ id }) => [realmId, id])

  test('is for owners, and not below what protects the trace of somebody who did harm', async () => {
    const administrator = await newUserOfRole(product, Role.administrator)
    expect(await administrator.send(updateRealm, { audit_log_retention_days: 365 })).toMatchObject(
      refusal('UNAUTHORIZED_PRINCIPAL'),
    )
    for (const audit_log_retention_days of [29, 0, -1, 36_501, 1e12])
      expect(await product.owner.send(updateRealm, { audit_log_retention_days })).toMatchObject(
        refusal('BAD_REQUEST', {
          msg: 'audit_log_retention_days must be between 30 and 36500, or unlimited',
        }),
      )
    expect(await product.owner.send(updateRealm, { audit_log_retention_days: 'soon' })).toMatchObject(
      refusal('REQUEST_VARIABLE_INVALID', { bad_value: 'soon' }),
    )
  })

  test('deletes older entries, of that organization alone, and is an entry itself', async () => {
    const [{ owner, realmId }, other] = [
      await product.createOrganization('keeping'),
      await product.createOrganization('keeping-all'),
    ]
    for (const client of [owner, other.owner]) await until(async () => (await list({}, client)).length > 0)
    const old = Array.from({ length: 1_500 }, (_, nth) => ({ id: 10_000 + nth, daysAgo: 45 }))
    const entries = [
      ...old,
      { id: 12_000, daysAgo: 31 },
      { id: 12_001, daysAgo: 29 },
      { id: 12_002, daysAgo: 31 },
    ]
    for (const id of [realmId, other.realmId]) await insertEntries(id, entries)
    const { queue_id, realm_audit_log_retention_days: before } = await owner.call(register, {
      event_types: ['realm'],
    })
    expect(before).toBe(-1)

    expect(await owner.call(updateRealm, { audit_log_retention_days: 30 })).toMatchObject({
      audit_log_retention_days: 30,
    })

    await until(async () => (await daysOf(realmId, owner)).length === 1)
    expect(await daysOf(realmId, owner)).toEqual([[realmId, 12_001]])
    expect((await list({ limit: 1_000 }, other.owner)).length).toBe(1_000)
    const changed = await newestEntry(owner, { actions: ['organization_updated'] })
    expect(changed).toMatchObject({
      actor_id: owner.userId,
      details: { before: { audit_log_retention_days: -1 }, after: { audit_log_retention_days: 30 } },
    })
    const { events } = await owner.call(getEvents, { queue_id, last_event_id: -1 })
    expect(events).toContainEqual(
      expect.objectContaining({ property: 'audit_log_retention_days', value: 30 }),
    )
    expect(await owner.call(updateRealm, { audit_log_retention_days: 'unlimited' })).toMatchObject({
      audit_log_retention_days: -1,
    })
  })

  test.each([
    ['nothing is left', 'all-expired', [{ id: 5, daysAgo: 60 }], 0],
    ['the newest have happened the longest ago', 'late-entries', [{ id: 4_000, daysAgo: 1 }], 1],
  ])('gives no ID twice, also when %s', async (_, name, others, left) => {
    const { rows } = await realmDb.query<{ id: number }>(
      `insert into realms (string_id, name, url, settings)
       values ($1, $1, 'http://' || $1, '{"audit_log_retention_days": 30}')
       returning id`,
      [name],
    )
    const realmId = rows[0]?.id ?? 0
    await insertEntries(realmId, [...others, { id: 4_321, daysAgo: 50 }])
    await product.owner.call(updateRealm, { audit_log_retention_days: 36_500 })
    await product.owner.call(updateRealm, { audit_log_retention_days: 'unlimited' })
    const ids = async () =>
      (
        await realmDb.query<{ id: string }>('select id from audit_log where realm_id = $1 order by id', [
          realmId,
        ])
      ).rows.map(({ id }) => Number(id))
    await until(async () => (await ids()).length === left)

    await sendEntry({ realmId, at: Date.now() })
    await until(async () => (await ids()).length === left + 1)
    expect((await ids()).at(-1)).toBeGreaterThan(4_321)
  })

  test('lets nobody delete younger entries in the database', async () => {
    const { owner, realmId } = await product.createOrganization('younger')
    await owner.call(updateRealm, { audit_log_retention_days: 30 })
    await newestEntry(owner, { actions: ['organization_updated'] })
    await realmDb.query(`update realms set settings = '{"audit_log_retention_days": 1}' where id = $1`, [
      realmId,
    ])
    await insertEntries(realmId, [{ id: 9_000, daysAgo: 29 }])
    await expect(
      realmDb.query('delete from audit_log where realm_id = $1 and id = 9000', [realmId]),
    ).rejects.toThrow('neither changed nor deleted')
  })
})

describe('an export', () => {
  const get = async (query: Record<string, string>) => {
    const answer = await product.owner.fetch(`/api/v1/realm/audit_log/export?${new URLSearchParams(query)}`)
    return { headers: answer.headers, text: await answer.text() }
  }

  test('has every entry, the oldest first, as CSV or as JSON in lines', async () => {
    const user = await product.createUser()
    await product.owner.call(updateUser, { user_id: user.userId, role: Role.moderator })
    const filter = { target_type: 'user', target_id: String(user.userId) }
    await entryOf({ actions: ['user_role_changed'], ...aboutUser(user) })
    const listed = (await list(aboutUser(user))).toReversed()

    const lines = await get({ ...filter, format: 'jsonl' })
    expect(lines.headers.get('content-disposition')).toBe('attachment; filename="audit-log.jsonl"')
    expect(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(listed)
    const table = await get(filter)
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [names, ...rows] = table.text.trimEnd().split('\n')
    expect(names).toBe(Object.keys(listed[0] ?? {}).join(','))
    expect(rows.map((row) => Number(row.split(',')[0]))).toEqual(listed.map(({ id }) => id))
  })

  test('is an entry itself, with what was asked for', async () => {
    const administrator = await newUserOfRole(product, Role.administrator)
    await (await administrator.fetch('/api/v1/realm/audit_log/export?actor_kind=system')).text()

    expect(await entryOf({ actions: ['audit_log_exported'], actor_id: administrator.userId })).toMatchObject({
      details: { format: 'csv', filters: { actor_kind: 'system' } },
    })
  })
})
