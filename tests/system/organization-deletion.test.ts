import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoints, internal, Role, systemGroupIds } from '@tms/contracts'
import {
  connectBroker,
  createInternalClient,
  createInternalTokenSource,
  createLog,
  mastersOf,
} from '@tms/service-kit'
import {
  ApiClient,
  registerQueue,
  startTestSystem,
  type TestOrganization,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { domainEventTests } from './api/documents.ts'
import { fill } from './foreign/contents.ts'
import { refusal } from './support/answers.ts'
import { newBotOf } from './support/bots.ts'
import { letLeaseEnd } from './support/let-lease-end.ts'
import { passwordOf } from './support/other-organization.ts'
import { countRows, type Databases, openDatabases, readIds } from './support/rows-of-organization.ts'
import { environmentOf, runManageHere, startManage } from './support/run-manage.ts'
import { lockTable } from './support/table-lock.ts'
import { openTestRedis } from './support/test-redis.ts'
import { until } from './support/until.ts'
import { secondsFromNow, sendDirectly, sendToChannel } from './support/users-and-channels.ts'
import { Visitor } from './support/visitor.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let product: TestSystem
let databases: Databases
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { realm: 2, messaging: 2 },
    serviceEnv: { TRUST_PROXY: 'true', MIN_DELETION_DELAY_DAYS: '0' },
  })
  databases = openDatabases(product)
}, 180_000)
afterAll(async () => {
  await databases?.close()
  await product?.stop()
})

const callOf = ({ system }: TestSystem) =>
  createInternalClient(system.urls, createInternalTokenSource('tests', system.keys.internal.privateKey))
const manage = (args: readonly string[]) => runManageHere(environmentOf(product), args)
const listDeletions = async () => (await callOf(product)(internal.realm.listRealmDeletions, {})).deletions
const findDeletion = async (realmId: number) =>
  (await listDeletions()).find(({ realm_id }) => realm_id === realmId) ?? null
const untilDeleted = (realmId: number) => until(async () => (await findDeletion(realmId)) === null)
const deactivate = (owner: ApiClient, deletion_delay_days?: number | null) =>
  owner.send(endpoints.realm.deactivateRealm, { deletion_delay_days })

/** Whether RabbitMQ has a queue or stream of this name. */
async function isThere(queue: string): Promise<boolean> {
  const broker = connectBroker(product.servers.rabbitmq.url, createLog('tests', 'silent'), async () => {})
  await new Promise<void>((resolve) => broker.onConnected(resolve))
  const channel = await broker.channel()
  channel.on('error', () => {})
  const isFound = await channel.checkQueue(queue).then(
    () => true,
    () => false,
  )
  await broker.close()
  return isFound
}

/** An organization with everything that one can have. */
async function newFilled(mark: string): Promise<TestOrganization & { readonly member: ApiClient }> {
  const organization = await product.createOrganization(mark)
  const { owner } = organization
  await owner.call(endpoints.realm.updateRealm, {
    can_access_all_users_group: systemGroupIds['role:members'],
    waiting_period_threshold: 10,
  })
  const { member, names } = await fill(product, organization, mark)
  const guest = await organization.createUser(`${mark} guest`, { role: Role.guest })
  const [message_id, channel] = [Number(names.message), Number(names.channel)]
  const { messaging, users } = endpoints
  await owner.call(messaging.subscribe, {
    subscriptions: [{ name: names.channelName }],
    principals: [guest.userId],
  })
  await sendDirectly(guest, [owner, member], `${mark} whisper`)
  await member.call(messaging.addReaction, { message_id, emoji_name: 'heart' })
  await member.call(messaging.updateMessageFlags, { messages: [message_id], op: 'add', flag: 'starred' })
  await member.call(messaging.updateUserTopic, {
    stream_id: channel,
    topic: names.topic,
    visibility_policy: 3,
  })
  await member.call(messaging.updatePointer, { pointer: message_id })
  const poll = await sendToChannel(owner, channel, '/poll Which?\na\nb', names.topic)
  await member.call(messaging.addSubmessage, {
    message_id: poll,
    msg_type: 'widget',
    content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
  })
  await owner.call(
    messaging.sendMessage,
    { type: 'channel', to: channel, topic: mark, content: 'once' },
    { headers: { 'idempotency-key': mark } },
  )
  await owner.call(messaging.createScheduledMessage, {
    ...{ type: 'channel', to: channel, topic: mark },
    content: `[file](${names.filePath})`,
    scheduled_delivery_timestamp: secondsFromNow(86_400),
  })
  const bot = await newBotOf(owner)
  await bot.call(users.updateBotStorage, { storage: { mark } })
  const address = `/api/v1/external/json?api_key=${bot.account?.apiKey}`
  await owner.fetch(address, { method: 'POST', body: `no JSON: ${mark}` })
  await member.call(users.updatePresence, { status: 'active' })
  await member.call(users.updateStatus, { status_text: mark })
  const host = `${mark}.${product.system.externalHost}`
  expect(await new Visitor(product, { host }).logIn(member.email, passwordOf(member.email))).toMatchObject({
    ...{ status: 302, location: '/account/' },
  })
  await owner.call(users.updateSettingDefaults, { enable_sounds: false })
  const answer = await organization.anonymous.request('POST', '/fetch_api_key', [
    ['username', owner.email],
    ['password', 'wrong'],
  ])
  expect(answer.status).toBe(401)
  await insertRareRows(organization, member, channel, mark)
  return { ...organization, member }
}

/** Rows that are there only for a moment, once a day, after an interruption, or with a directory. */
async function insertRareRows(
  { realmId }: TestOrganization,
  { userId }: ApiClient,
  channelId: number,
  mark: string,
): Promise<void> {
  const db = databases.pools.messaging
  const later = new Date(secondsFromNow(86_400) * 1_000)
  await db.query(`insert into blobs_to_delete values ($1, $2)`, [`attachments/${realmId}/1/${mark}`, later])
  await db.query(
    'insert into webhook_calls (realm_id, bot_id, message_id, attempt_at) values ($1, $2, 1, $3)',
    [realmId, userId, later],
  )
  const batch = await db.query<{ id: string }>(
    'insert into missed_message_batches (realm_id, user_id, attempt_at, is_sealed) values ($1, $2, $3, true) returning id',
    [realmId, userId, later],
  )
  await db.query(
    `insert into missed_messages select $1, max(id), 'mentioned' from messages where realm_id = $2`,
    [batch.rows[0]?.id, realmId],
  )
  await db.query(
    `insert into push_notices (realm_id, user_id, message_ids, trigger, attempt_at) values ($1, $2, '{1}', 'mentioned', $3)`,
    [realmId, userId, later],
  )
  await db.query(
    `insert into postponed_notifications (realm_id, user_id, message_id, mail_trigger, decide_at)
     values ($1, $2, 1, 'mentioned', $3)`,
    [realmId, userId, later],
  )
  await db.query(
    `insert into webhook_attempts
       (realm_id, bot_id, webhook_call_id, message_id, called_at, duration_ms, url, outcome)
     values ($1, $2, gen_random_uuid(), 1, $3, 1, 'http://localhost', 'silent')`,
    [realmId, userId, later],
  )
  await db.query(
    "insert into webhook_secrets (realm_id, bot_id, owner_id, secret) values ($1, $2, null, 'a')",
    [realmId, userId],
  )
  await db.query(
    `insert into webhook_backlogs (realm_id, bot_id, interval_ms, begun_at, arrived, waiting_count, waiting_bytes)
     values ($1, $2, 300, $3, 1, 0, 0)`,
    [realmId, userId, later],
  )
  await db.query(
    `insert into resumable_uploads (id, realm_id, owner_id, name, content_type, length, expires_at)
     values ($1, $2, $3, 'a', 'text/plain', 9, $4)`,
    [mark, realmId, userId, later],
  )
  const ofUsers = databases.pools.users
  await ofUsers.query(
    'insert into missed_message_batches values (gen_random_uuid(), $1, $2, now(), 1) returning id',
    [realmId, userId],
  )
  await ofUsers.query(
    `with announced as (
       insert into announcements (realm_id, content_hash, subject, content, is_markdown, created_at)
       values ($1, sha256('text'), 'News', 'text', false, now())
       returning id
     )
     insert into announcement_recipients select id, $2 from announced returning user_id`,
    [realmId, userId],
  )
  await ofUsers.query('insert into digests values ($1, $2, now())', [userId, realmId])
  await ofUsers.query('insert into push_hand_overs values (gen_random_uuid(), $1, $2, now(), true)', [
    realmId,
    userId,
  ])
  await ofUsers.query('insert into reply_addresses values (sha256($1::int::text::bytea), $1, null, $2)', [
    userId,
    later,
  ])
  await ofUsers.query(
    `with device as (
       insert into push_devices (account_id, service, token) values ($1, 'fcm', 'later') returning id
     )
     insert into push_deliveries (realm_id, account_id, device_id, target, notice, expires_at, attempt_at)
     select $2, $1, id, 'fcm', '{}', $3, $3 from device`,
    [userId, realmId, later],
  )
  await ofUsers.query('insert into push_tests values ($1, now(), 1)', [userId])
  await ofUsers.query(
    `with client as (
       insert into client_devices (account_id) values ($1) returning id
     )
     insert into sealed_registrations
       (client_device_id, account_id, token_kind, token_id, public_key, sealed, push_key, push_key_id, attempt_at)
     select id, $1, 'fcm', 'a', 'b', 'c', 'd', 1, $2 from client`,
    [userId, later],
  )
  await ofUsers.query(
    `insert into directory_accounts (account_id, realm_id, directory) values ($1, $2, 'staff')`,
    [userId, realmId],
  )
  await ofUsers.query(`insert into external_identities values ($1, $2, 'https://id.example', 'x')`, [
    realmId,
    userId,
  ])
  await ofUsers.query(`insert into scim_tokens values ($1, 'x', $2, null) on conflict do nothing`, [
    realmId,
    later,
  ])
  await ofUsers.query(
    'insert into scim_accounts (account_id, realm_id) values ($1, $2) on conflict do nothing',
    [userId, realmId],
  )
  await ofUsers.query(
    'insert into scim_groups (group_id, realm_id) select id, realm_id from user_groups where realm_id = $1',
    [realmId],
  )
  await ofUsers.query(`insert into directory_syncs values ($1, 'staff', $2)`, [realmId, later])
  await db.query('insert into channel_traffic values ($1, 7) on conflict do nothing', [channelId])
}

/** Names of the files that an organization has in the store. */
async function listFiles(realmId: number): Promise<string[]> {
  const root = fileURLToPath(product.system.uploadsUrl)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return (
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
      // A random part of a name may be the same number.
      .filter((name) => name.split('/')[2] === String(realmId))
  )
}

/** Keys in Redis with an organization's presence and sessions, and its queues. */
async function listKeys(realmId: number): Promise<string[]> {
  const redis = await openTestRedis(product.servers)
  try {
    const found: string[] = []
    for (const node of mastersOf(redis))
      for (const key of await node.keys(`*${product.system.namespace}*`)) {
        if (key.includes(`presence:${realmId}}`) || key.includes(`sessions:${realmId}}`)) found.push(key)
        if (!key.endsWith(':queues')) continue
        const queues = await node.hvals(key)
        found.push(...queues.filter((queue) => queue.includes(`"realm_id":${realmId},`)))
      }
    return found
  } finally {
    redis.disconnect()
  }
}

/** Without the tables whose rows go on: notifications may become due meanwhile. */
const lasting = (counts: ReadonlyMap<string, number>) =>
  new Map([...counts].filter(([table]) => !/\.(?:missed_|postponed_|push|jobs)/.test(table)))

describe('an organization that is deleted', () => {
  test('deletes the data of the organization from every table, file and key, and nothing of others', async () => {
    const [gone, kept] = [await newFilled('gone'), await newFilled('kept')]
    const idsOf = {
      gone: await readIds(databases, gone.realmId, 'gone'),
      kept: await readIds(databases, kept.realmId, 'kept'),
    }
    const before = {
      gone: await countRows(databases, idsOf.gone),
      kept: await countRows(databases, idsOf.kept),
    }
    const filesOfKept = await listFiles(kept.realmId)
    const empty = [...before.gone].filter(([, count]) => count === 0).map(([name]) => name)
    // What comes and goes within a moment, what an import leaves, and the deletion itself.
    expect(empty).toEqual([
      ...[
        'realm.audit_outbox',
        'realm.audit_set_aside',
        'realm.outbox',
        'realm.realm_deletions',
        'users.audit_outbox',
        'users.outbox',
        'users.push_relay_removals',
      ],
      ...['messaging.added_mentions', 'messaging.audit_outbox'],
      ...['messaging.guest_visibility_changes', 'messaging.missed_wildcards', 'messaging.outbox'],
      'messaging.pending_imports',
      'messaging.pushed_messages',
    ])
    expect(await listFiles(gone.realmId)).not.toEqual([])
    expect(await listKeys(gone.realmId)).toContainEqual(expect.stringMatching(/sessions:/))

    expect(await deactivate(gone.owner, 0)).toMatchObject({ status: 200 })
    await untilDeleted(gone.realmId)

    // Projections follow the log.
    const left = async () => [...(await countRows(databases, idsOf.gone))].filter(([, count]) => count > 0)
    await until(async () => (await left()).length === 0).catch(() => {})
    expect(await left()).toEqual([])
    expect(await listFiles(gone.realmId)).toEqual([])
    expect(await listKeys(gone.realmId)).toEqual([])
    expect(lasting(await countRows(databases, idsOf.kept))).toEqual(lasting(before.kept))
    expect(await listFiles(kept.realmId)).toEqual(filesOfKept)
    expect((await kept.member.call(endpoints.users.getOwnUser, {})).user_id).toBe(kept.member.userId)
  })
  test('is there until its time, and stays if it is reactivated before', async () => {
    const { realmId, owner } = await product.createOrganization('later')

    expect(await deactivate(owner, 30)).toMatchObject({ status: 200 })
    const inDays = ((await findDeletion(realmId))?.delete_at ?? 0) / 86_400 - Date.now() / 86_400_000
    expect(inDays).toBeGreaterThan(29.9)
    expect(inDays).toBeLessThanOrEqual(30)
    expect(JSON.parse((await manage(['list-organizations', '--json'])).stdout).organizations).toContainEqual(
      expect.objectContaining({ subdomain: 'later', is_active: false, delete_at: expect.any(Number) }),
    )
    expect(await manage(['reactivate-organization', 'later'])).toMatchObject({ code: 0 })

    expect(await findDeletion(realmId)).toBeNull()
    expect((await owner.send(endpoints.users.getOwnUser, {})).status).toBe(200)
    expect(await deactivate(owner, null)).toMatchObject({ status: 200 })
    expect(await findDeletion(realmId)).toBeNull()
  })

  test('can be deleted at once by an operator who types its name; its queues end, and its subdomain is free', async () => {
    const { owner, anonymous, ownerPassword, realmId } = await product.createOrganization('sold')
    const queue = (await registerQueue(owner)).follow()
    const deleting = (...more: string[]) => manage(['delete-organization', 'sold', ...more])
    const { stream } = JSON.parse(
      (await manage(['create-organization-stream', '--organization', 'sold', '--json'])).stdout,
    ) as { stream: string }

    expect(await deleting()).toMatchObject({ code: 1, stderr: expect.stringContaining('--confirm') })
    expect(await deleting('--confirm', 'sold')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was changed'),
    })
    expect((await owner.send(endpoints.users.getOwnUser, {})).status).toBe(200)
    expect(await deleting('--confirm', 'The sold organization')).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^"The sold organization" at .* was deleted, with all of its data\.\n$/),
      stderr: '',
    })

    expect(await queue.waitFor(({ op }) => op === 'deactivated')).toMatchObject({
      type: 'realm',
      realm_id: realmId,
    })
    await expect(queue.until(() => false)).rejects.toThrow('401')
    const signIn = () =>
      anonymous.request('POST', '/fetch_api_key', [
        ['username', owner.email],
        ['password', ownerPassword],
      ])
    expect(await signIn()).toMatchObject(refusal('NONEXISTENT_SUBDOMAIN', {}, 404))
    expect((await owner.send(endpoints.users.getOwnUser, {})).status).toBe(401)
    expect(await deleting()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no organization'),
    })

    expect(await isThere(stream)).toBe(false)

    const successor = await product.createOrganization('sold')
    expect(successor.realmId).not.toBe(realmId)
    expect(await signIn()).toMatchObject({ status: 200, body: { user_id: successor.owner.userId } })
    expect((await owner.send(endpoints.users.getOwnUser, {})).status).toBe(401)
  })

  test('is deleted completely although services die in the middle; others work meanwhile, and it cannot come back', async () => {
    const { realmId, owner } = await product.createOrganization('torn')
    const member = await product.createOrganization('calm')
    await sendDirectly(owner, [owner], 'a note')
    const ids = await readIds(databases, realmId, 'torn')
    const lock = await lockTable(databases.pools.messaging, 'pointers')
    const deleting = () =>
      startManage(environmentOf(product), [
        'delete-organization',
        'torn',
        '--confirm',
        'The torn organization',
      ])
    const first = deleting()
    await lock.waitForWaiters(1)

    await sendDirectly(member.owner, [member.owner], 'work goes on')
    expect(await manage(['reactivate-organization', 'torn'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is being deleted'),
    })
    first.kill('SIGINT')
    expect(await first.ended).toMatchObject({ code: 130, stdout: expect.stringContaining('goes on') })
    const killed = (['realm', 'messaging'] as const).flatMap((service) =>
      [0, 1].map((index) => product.system.replica(service, index)),
    )
    await Promise.all(killed.map((replica) => replica.kill('SIGKILL')))
    await lock.release()
    expect([...(await countRows(databases, ids)).values()].some((count) => count > 0)).toBe(true)
    await Promise.all(killed.map((replica) => replica.start()))
    await letLeaseEnd(databases.pools.realm, 'realm_deletions', 30)

    await until(async () => (await manage(['list-organizations'])).code === 0)
    // It asks for nothing: it shows how the deletion goes on, or that there is no such organization any more.
    expect((await deleting().ended).stderr).not.toContain('Delete')
    await untilDeleted(realmId)
    await until(async () => [...(await countRows(databases, ids)).values()].every((count) => count === 0))
  })
})

domainEventTests(() => product, 'deletions')
