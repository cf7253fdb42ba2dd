import { type EndpointInput, endpoints } from '@tms/contracts'
import { pickFreePort } from '@tms/local-system'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilDevicesKnown } from './support/known-devices.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { decidePostponed, untilDecided } from './support/missed-mails.ts'
import { letPresenceAge } from './support/presence-time.ts'
import {
  newWebPushKeys,
  type PushServiceStandIn,
  type PushSubscriber,
  startPushService,
} from './support/push-service.ts'
import { until } from './support/until.ts'
import {
  newChannel,
  newUsers,
  secondsFromNow,
  sendDirectly,
  sendToChannel,
} from './support/users-and-channels.ts'

const { addWebPushSubscription, updatePresence, updateSettings } = endpoints.users
type Settings = EndpointInput<typeof updateSettings>

const keys = newWebPushKeys()
let product: TestSystem
let messagingDb: Pool
let usersDb: Pool
let mailServer: MailServer
let service: PushServiceStandIn
beforeAll(async () => {
  mailServer = await startMailServer(await pickFreePort())
  service = await startPushService(keys.WEB_PUSH_PUBLIC_KEY)
  product = await startTestSystem({
    env: process.env,
    replicas: { messaging: 2 },
    usersHavePasswords: false,
    serviceEnv: { ...keys, MAIL_URL: mailServer.url, PUSHES_TO_PRIVATE_ADDRESSES: 'true' },
  })
  messagingDb = createPool(product.system.databaseUrls.messaging, 3, createLog('test', 'silent'))
  usersDb = createPool(product.system.databaseUrls.users, 2, createLog('test', 'silent'))
}, 180_000)
afterAll(async () => {
  await messagingDb.end()
  await usersDb.end()
  await product.stop()
  await mailServer.stop()
  service.close()
  expect(service.faults).toEqual([])
})

interface QuietUser {
  readonly user: ApiClient
  readonly device: PushSubscriber
}

/** A user with a browser, of which messaging knows, who is away and mailed after a second. */
async function newQuietUser(settings: Settings): Promise<QuietUser> {
  const [user] = await newUsers(product, 1)
  const device = service.subscribe()
  await user.call(addWebPushSubscription, { ...device.subscription, removals: false })
  await user.call(updateSettings, { email_notifications_batching_period_seconds: 1, ...settings })
  await untilDevicesKnown(messagingDb, [user])
  return { user, device }
}

/** Waits until so many notifications of a user, and as many mails, wait for the end of quiet. */
const untilHeld = ({ user: { userId } }: QuietUser, count: number) =>
  until(async () => {
    const { rows } = await messagingDb.query<{ pushes: number; mails: number }>(
      `select (select count(*) from push_notices where user_id = $1 and held_until > now()) as pushes,
              (select count(*)
                 from missed_message_batches b
                 join missed_messages m on m.batch_id = b.id
                where b.user_id = $1
                  and b.held_until > now()) as mails`,
      [userId],
    )
    return rows[0]?.pushes === count && rows[0].mails === count
  })

const untilNothingWaits = ({ user: { userId } }: QuietUser) =>
  until(async () => {
    const { rows } = await messagingDb.query<{ count: number }>(
      `select (select count(*) from push_notices where user_id = $1)
              + (select count(*) from missed_message_batches where user_id = $1) as count`,
      [userId],
    )
    return rows[0]?.count === 0
  })

const mailsTo = ({ user }: QuietUser) => mailServer.mailsTo(user.email)
const snooze = { quiet_until: secondsFromNow(3_600) }

describe.concurrent('a user who wants quiet', () => {
  test('gets nothing, and at the end one notification, and mails', async () => {
    const quiet = await newQuietUser(snooze)
    const channel = await newChannel(product.owner, { others: [quiet.user] })
    await sendDirectly(product.owner, [quiet.user], 'one')
    await sendDirectly(product.owner, [quiet.user], 'two')
    await sendToChannel(product.owner, channel.id, `@**|${quiet.user.userId}** three`)
    await untilHeld(quiet, 3)
    expect([quiet.device.received, mailsTo(quiet)]).toEqual([[], []])

    // Another end of the same quiet: all that waits is for then.
    const end = secondsFromNow(4)
    await quiet.user.call(updateSettings, { quiet_until: end })
    const [push] = await quiet.device.waitFor(1)
    expect(Date.now() / 1_000).toBeGreaterThanOrEqual(end)
    expect(push?.payload).toMatchObject({
      ...{ type: 'summary', title: '3 new messages', body: 'In 2 conversations', unread_count: 3 },
    })
    const mails = await mailServer.waitForMails(quiet.user.email, 2)
    expect(mails.map(({ text = '' }) => text).join()).toMatch(/one[^]*two/)
    await untilNothingWaits(quiet)
    expect([quiet.device.received.length, mailsTo(quiet).length]).toEqual([1, 2])
  })

  test('gets a single message as itself, and nothing that was read meanwhile', async () => {
    const quiet = await newQuietUser(snooze)
    const read = await sendDirectly(product.owner, [quiet.user], 'read elsewhere')
    await sendDirectly(product.owner, [quiet.user], 'unread')
    await untilHeld(quiet, 2)
    await quiet.user.call(endpoints.messaging.updateMessageFlags, {
      ...{ messages: [read], flag: 'read' },
      op: 'add',
    })
    await quiet.user.call(updateSettings, { quiet_until: 0 })
    const [push] = await quiet.device.waitFor(1)
    expect(push?.payload).toMatchObject({ type: 'message', content: 'unread', unread_count: 1 })
    const [mail] = await mailServer.waitForMails(quiet.user.email)
    expect(mail?.text).not.toContain('read elsewhere')
    await untilNothingWaits(quiet)
    expect(quiet.device.received).toHaveLength(1)
  })

  test('is mailed the newest 5,000 messages of any number, however long they want it', async () => {
    const quiet = await newQuietUser(snooze)
    const { userId } = quiet.user
    const newest = await sendDirectly(product.owner, [quiet.user], 'the newest')
    await untilHeld(quiet, 1)
    await messagingDb.query(
      `insert into missed_messages (batch_id, message_id, trigger)
       select id, older, 'direct_message'
         from missed_message_batches, generate_series($2::bigint - 5100, $2::bigint - 1) as older
        where user_id = $1
       returning batch_id`,
      [userId, newest],
    )
    // As if a day had passed.
    await messagingDb.query(
      `update missed_message_batches set attempt_at = now() where user_id = $1 returning id`,
      [userId],
    )
    await until(async () => {
      const { rows } = await messagingDb.query<{ all: number; newest: number }>(
        `select count(*)::int as all, count(*) filter (where m.message_id > $2::bigint - 5000)::int as newest
           from missed_messages m
           join missed_message_batches b on b.id = m.batch_id
          where b.user_id = $1`,
        [userId, newest],
      )
      return rows[0]?.all === 5_000 && rows[0].newest === 5_000
    })
    await quiet.user.call(updateSettings, { quiet_until: 0 })
    expect(await mailServer.waitForMails(quiet.user.email)).toHaveLength(1)
  })

  test('has it by the hours of their time zone, until they turn that off', async () => {
    const hour = (new Date().getUTCHours() + 5) % 24
    const quiet = await newQuietUser({
      ...{ timezone: 'Etc/GMT-5', quiet_hours_enabled: true, quiet_hours_days: 127 },
      quiet_hours_start: ((hour + 23) % 24) * 60,
      quiet_hours_end: ((hour + 3) % 24) * 60,
    })
    await sendDirectly(product.owner, [quiet.user], 'shh')
    await untilHeld(quiet, 1)
    await quiet.user.call(updateSettings, { quiet_hours_enabled: false })
    const [push] = await quiet.device.waitFor(1)
    expect(push?.payload['content']).toBe('shh')
    expect(await mailServer.waitForMails(quiet.user.email)).toHaveLength(1)
  })

  test('is notified when quiet ends just as what waits is looked at', async ({ onTestFinished }) => {
    const quiet = await newQuietUser(snooze)
    const { userId } = quiet.user
    await sendDirectly(product.owner, [quiet.user], 'waited')
    await untilHeld(quiet, 1)
    // The settings change, of which no replica has learned yet, and both loops come upon what waits at that moment.
    const change = await messagingDb.connect()
    onTestFinished(() => change.release(true))
    const { rows: connections } = await change.query<{ pid: number }>('select pg_backend_pid() as pid')
    await change.query('begin')
    await change.query(
      `update known_users
          set projection = jsonb_set(projection, '{settings,quiet_until}', '0')
        where user_id = $1`,
      [userId],
    )
    for (const table of ['push_notices', 'missed_message_batches'])
      await messagingDb.query(`update ${table} set attempt_at = now() where user_id = $1 returning id`, [
        userId,
      ])
    await until(async () => {
      const { rows } = await messagingDb.query<{ count: number }>(
        // The second of them waits for the first.
        `select count(distinct pid)::int as count
           from pg_stat_activity, unnest(pg_blocking_pids(pid)) as blocker
          where blocker = $1 or $1 = any(pg_blocking_pids(blocker))`,
        [connections[0]?.pid],
      )
      return rows[0]?.count === 2
    })
    await change.query('commit')
    const [push] = await quiet.device.waitFor(1)
    expect(push?.payload['content']).toBe('waited')
    expect(await mailServer.waitForMails(quiet.user.email)).toHaveLength(1)
  })

  test('gets what comes in other hours at once', async () => {
    const hour = (new Date().getUTCHours() + 5) % 24
    const quiet = await newQuietUser({
      ...{ timezone: 'Etc/GMT-5', quiet_hours_enabled: true, quiet_hours_days: 127 },
      quiet_hours_start: ((hour + 4) % 24) * 60,
      quiet_hours_end: ((hour + 23) % 24) * 60,
    })
    await sendDirectly(product.owner, [quiet.user], 'loud')
    const [push] = await quiet.device.waitFor(1)
    expect(push?.payload['content']).toBe('loud')
  })
})

describe.concurrent('what users got before quiet began, without messaging learning of it, comes once', () => {
  test('as a mail, beside mails about what came meanwhile', async () => {
    const quiet = await newQuietUser({ email_notifications_batching_period_seconds: 3_600 })
    const { userId } = quiet.user
    await sendDirectly(product.owner, [quiet.user], 'in the evening')
    await quiet.device.waitFor(1)
    await quiet.user.call(updateSettings, snooze)
    const { rows } = await messagingDb.query<{ id: string; realmId: number }>(
      'select id, realm_id as "realmId" from missed_message_batches where user_id = $1',
      [userId],
    )
    const [batch] = rows
    await usersDb.query(
      `insert into missed_message_batches (id, realm_id, user_id, handed_over_at, mails)
       values ($1, $2, $3, now(), 1) returning id`,
      [batch?.id, batch?.realmId, userId],
    )
    await messagingDb.query(
      `update missed_message_batches set is_sealed = true, attempts = 1, attempt_at = now() where id = $1 returning id`,
      [batch?.id],
    )
    const heldMails = async () => {
      const held = await messagingDb.query<{ count: number }>(
        `select count(*)::int as count from missed_message_batches where user_id = $1 and held_until > now()`,
        [userId],
      )
      return held.rows[0]?.count
    }
    await until(async () => (await heldMails()) === 1)
    await quiet.user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
    await sendDirectly(product.owner, [quiet.user], 'in the night')
    await until(async () => (await heldMails()) === 2)
    await quiet.user.call(updateSettings, { quiet_until: 0 })
    const [mail] = await mailServer.waitForMails(quiet.user.email)
    expect(mail?.text).toContain('> in the night')
    await untilNothingWaits(quiet)
    expect(mailsTo(quiet)).toHaveLength(1)
  })

  test('as a notification, beside one for what came meanwhile', async () => {
    const quiet = await newQuietUser(snooze)
    const { userId } = quiet.user
    await sendDirectly(product.owner, [quiet.user], 'in the evening')
    await untilHeld(quiet, 1)
    // The lowest ID, which one notice for all would have.
    const id = `00000000-0000-4000-8000-${String(userId).padStart(12, '0')}`
    const { rows } = await messagingDb.query<{ realmId: number }>(
      `update push_notices set id = $2, held_until = null, attempts = 1, attempt_at = now()
        where user_id = $1 returning realm_id as "realmId"`,
      [userId, id],
    )
    await usersDb.query(
      `insert into push_hand_overs (id, realm_id, user_id, handed_over_at, is_shown)
       values ($1, $2, $3, now(), true) returning id`,
      [id, rows[0]?.realmId, userId],
    )
    await until(async () => {
      const postponed = await messagingDb.query<{ isLater: boolean }>(
        `select attempts > 1 and attempt_at > now() + interval '1 minute' as "isLater" from push_notices where id = $1`,
        [id],
      )
      return postponed.rows[0]?.isLater === true
    })
    await sendDirectly(product.owner, [quiet.user], 'in the night')
    await sendDirectly(product.owner, [quiet.user], 'at dawn')
    await until(async () => {
      const held = await messagingDb.query<{ count: number }>(
        'select count(*)::int as count from push_notices where user_id = $1 and held_until > now()',
        [userId],
      )
      return held.rows[0]?.count === 2
    })
    await quiet.user.call(updateSettings, { quiet_until: 0 })
    await messagingDb.query('update push_notices set attempt_at = now() where id = $1 returning id', [id])
    const [push] = await quiet.device.waitFor(1)
    expect(push?.payload['title']).toBe('2 new messages')
    await untilNothingWaits(quiet)
    expect(quiet.device.received).toHaveLength(1)
  })
})

test('one notification comes although a replica dies', async () => {
  const users = await Promise.all(Array.from({ length: 6 }, () => newQuietUser(snooze)))
  for (const quiet of users)
    for (const text of ['one', 'two', 'three']) await sendDirectly(product.owner, [quiet.user], text)
  for (const quiet of users) await untilHeld(quiet, 3)
  for (const quiet of users) await quiet.user.call(updateSettings, { quiet_until: 0 })
  const dying = product.system.replica('messaging', 0)
  await dying.kill('SIGKILL')
  await dying.start()
  for (const quiet of users) await untilNothingWaits(quiet)
  for (const quiet of users) await quiet.device.waitFor(1)
  expect(users.map(({ device }) => device.received.map(({ payload }) => payload['title']))).toEqual(
    users.map(() => ['3 new messages']),
  )
  for (const quiet of users) expect(await mailServer.waitForMails(quiet.user.email)).toHaveLength(1)
}, 180_000)

describe('a user who was active when a message came', () => {
  test('is notified of it if they had just left, once', async () => {
    const left = await newQuietUser({ enable_online_push_notifications: false })
    await left.user.call(updatePresence, { status: 'active' })
    await letPresenceAge(product, 60)
    await untilDecided(messagingDb, await sendDirectly(product.owner, [left.user], 'just missed'))
    expect([left.device.received, mailsTo(left)]).toEqual([[], []])

    await decidePostponed(messagingDb, left.user)

    const [push] = await left.device.waitFor(1)
    expect(push?.payload).toMatchObject({ content: 'just missed' })
    const [mail] = await mailServer.waitForMails(left.user.email, 1)
    expect(mail?.text).toContain('just missed')
    await untilNothingWaits(left)
    expect([left.device.received.length, mailsTo(left).length]).toEqual([1, 1])
  })

  test('is not notified of it if they stayed', async () => {
    const here = await newQuietUser({ enable_online_push_notifications: false })
    await here.user.call(updatePresence, { status: 'active' })
    await letPresenceAge(product, 60)
    await untilDecided(messagingDb, await sendDirectly(product.owner, [here.user], 'seen'))
    await here.user.call(updatePresence, { status: 'active' })
    await decidePostponed(messagingDb, here.user)
    await letPresenceAge(product, 201)

    await sendDirectly(product.owner, [here.user], 'missed later')

    const [mail] = await mailServer.waitForMails(here.user.email, 1)
    expect(mail?.text).not.toContain('seen')
    await here.device.waitFor(1)
    await untilNothingWaits(here)
    expect([here.device.received.length, mailsTo(here).length]).toEqual([1, 1])
  })
})
