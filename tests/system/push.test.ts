import { type EndpointInput, endpoints } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listMessageViewsOfUsers } from '../../services/messaging/src/kernel/messages/message-view.queries.ts'
import { type PushOwner as Owner, waitingPushTests } from './push/waiting.ts'
import { refusal, success } from './support/answers.ts'
import { newBotOf } from './support/bots.ts'
import { newGroup } from './support/groups.ts'
import { untilDevicesKnown } from './support/known-devices.ts'
import { untilDecided as untilMessageDecided } from './support/missed-mails.ts'
import { metricOf } from './support/observe.ts'
import { letPresenceAge } from './support/presence-time.ts'
import {
  newWebPushKeys,
  type PushServiceStandIn,
  type PushSubscriber,
  startPushService,
} from './support/push-service.ts'
import { until } from './support/until.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from './support/users-and-channels.ts'

const { addWebPushSubscription, removeWebPushSubscription, testPushNotification } = endpoints.users
const { listPushDevices } = endpoints.users
const { deactivateUser, muteUser, regenerateApiKey, updatePresence, updateSettings } = endpoints.users
const { deleteMessage, editMessage, markAllAsRead, unsubscribe } = endpoints.messaging
const { updateMessageFlags, updateSubscriptionSettings, updateUserTopic } = endpoints.messaging
type Settings = EndpointInput<typeof updateSettings>

const [MUTED, FOLLOWED] = [1, 3] as const
/** Notifications that a user gets in an hour; more than most tests send. */
const PER_HOUR = 20

const keys = newWebPushKeys()
let product: TestSystem
let messagingDb: Pool
let usersDb: Pool
let service: PushServiceStandIn
beforeAll(async () => {
  service = await startPushService(keys.WEB_PUSH_PUBLIC_KEY)
  product = await startTestSystem({
    env: process.env,
    replicas: { messaging: 2, users: 2 },
    usersHavePasswords: false,
    serviceEnv: { ...keys, PUSHES_TO_PRIVATE_ADDRESSES: 'true', PUSHES_PER_HOUR: String(PER_HOUR) },
  })
  messagingDb = createPool(product.system.databaseUrls.messaging, 2, createLog('test', 'silent'))
  usersDb = createPool(product.system.databaseUrls.users, 2, createLog('test', 'silent'))
}, 180_000)
afterAll(async () => {
  await messagingDb.end()
  await usersDb.end()
  await product.stop()
  service.close()
  expect(service.faults).toEqual([])
})

/** A user with a browser, of which messaging knows. */
async function newOwner(settings: Settings = {}, { removals = true } = {}): Promise<Owner> {
  const [user] = await newUsers(product, 1)
  if (Object.keys(settings).length > 0) await user.call(updateSettings, settings)
  const device = service.subscribe()
  await user.call(addWebPushSubscription, { ...device.subscription, removals })
  await untilKnown(user)
  return { user, device }
}

/** Waits until messaging knows whether a user has devices. */
const untilKnown = (user: ApiClient, has = true) => untilDevicesKnown(messagingDb, [user], has)

/** A user with a browser and their channel, in which the owner is too. */
async function newSubscriber(settings: Settings = {}, more: { readonly isPrivate?: boolean } = {}) {
  const { user, device } = await newOwner(settings)
  return { user, device, channel: await newChannel(product.owner, { others: [user], ...more }) }
}

const typeOf = ({ received }: PushSubscriber, type: string) =>
  received.map(({ payload }) => payload).filter((payload) => payload['type'] === type)
const messagesOn = (device: PushSubscriber) => typeOf(device, 'message')
const contentsOn = (device: PushSubscriber) => messagesOn(device).map(({ content }) => content)

/** What has appeared on a device when all that was sent before is decided and sent: a direct message that follows is. */
async function settled({ user, device }: Owner): Promise<unknown[]> {
  const marker = `marker ${Math.random()}`
  await sendDirectly(product.owner, [user], marker)
  await until(async () => contentsOn(device).includes(marker))
  return contentsOn(device).filter((content) => content !== marker)
}

/** The same although the user wants no direct messages now. */
const settledThen = async (owner: Owner, settings: Settings) => {
  await untilDecided(await sendDirectly(product.owner, [owner.user], 'refused'))
  await owner.user.call(updateSettings, settings)
  return settled(owner)
}

const untilDecided = (messageId: number) => untilMessageDecided(messagingDb, messageId)

const setSubscription = (
  user: ApiClient,
  stream_id: number,
  property: 'is_muted' | 'push_notifications' | 'wildcard_mentions_notify',
  value: boolean,
) => user.call(updateSubscriptionSettings, { subscription_data: [{ stream_id, property, value }] })

const setTopic = (user: ApiClient, stream_id: number, topic: string, visibility_policy: 1 | 3) =>
  user.call(updateUserTopic, { stream_id, topic, visibility_policy })

test('messages that are read for several users at once are as each of them sees them', async () => {
  const users = await newUsers(product, 3)
  const [first, second, third] = users
  const { id: channelId } = await newChannel(product.owner, { others: [first, second], isPrivate: true })
  const id = await sendToChannel(product.owner, channelId, `@**|${first.userId}** long`)
  await first.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
  const wanted = users.map(({ userId }) => ({ realmId: product.realmId, userId, messageIds: [id] }))
  const views = await listMessageViewsOfUsers(messagingDb, wanted, { html: 3, raw: 4 })
  const of = ({ userId }: ApiClient) => {
    const [view, ...more] = views.get(userId) ?? []
    expect([view?.html, view?.raw, more]).toEqual(['<p>', '@**|', []])
    return [view?.isRead, view?.isReceived, view?.isMentioned, view?.channel?.isSubscribed]
  }
  expect(of(first)).toEqual([true, true, true, true])
  expect(of(second)).toEqual([false, true, false, true])
  expect(of(third)).toEqual([true, false, false, false])
})

describe.concurrent('a device gets', () => {
  test('a direct message, with all that it needs to show it', async () => {
    const { user, device } = await newOwner()
    const id = await sendDirectly(product.owner, [user], 'Lunch is **ready** :octopus:')
    const [push] = await device.waitFor(1)
    expect(push?.payload).toMatchObject({
      ...{ type: 'message', realm_url: product.baseUrl, user_id: user.userId, message_id: id },
      ...{ content: 'Lunch is ready 🐙', body: 'Lunch is ready 🐙', sender_id: product.owner.userId },
      recipient_type: 'direct',
      recipient_user_ids: [product.owner.userId, user.userId].sort((a, b) => a - b),
      unread_count: 1,
    })
    expect(push?.payload['url']).toContain(`${product.baseUrl}/#narrow/dm/`)
    expect(push?.headers).toMatchObject({ urgency: 'high', 'content-type': 'application/octet-stream' })
    expect(Number(push?.headers['ttl'])).toBeGreaterThan(86_000)
  })

  test('a direct message to a group, with the names of its members', async () => {
    const { user, device } = await newOwner()
    const [other] = await newUsers(product, 1)
    await sendDirectly(product.owner, [user, other], 'all of you')
    const [push] = await device.waitFor(1)
    expect(push?.payload['title']).toMatch(/, .*, /)
    expect(push?.payload['body']).toMatch(/: all of you$/)
  })

  test('a mention, also in a muted topic', async () => {
    const { user, device, channel } = await newSubscriber()
    await setTopic(user, channel.id, 'plans', MUTED)
    await sendToChannel(product.owner, channel.id, `@**|${user.userId}** look`, 'plans')
    const [push] = await device.waitFor(1)
    expect(push?.payload).toMatchObject({
      ...{ recipient_type: 'channel', channel_id: channel.id, channel_name: channel.name, topic: 'plans' },
      title: `#${channel.name} > plans`,
    })
  })

  test('a mention of a group, which it names', async () => {
    const { user, device, channel } = await newSubscriber()
    const group = await newGroup(product.owner, [user])
    await sendToChannel(product.owner, channel.id, `@*${group.name}* look`)
    const [push] = await device.waitFor(1)
    expect(push?.payload).toMatchObject({ mentioned_user_group_name: group.name })
  })

  test('a mention of everyone in a channel', async () => {
    const { device, channel } = await newSubscriber()
    await sendToChannel(product.owner, channel.id, '@**all** look')
    expect(await device.waitFor(1)).toHaveLength(1)
  })

  test('a mention that an edit adds, once', async () => {
    const { user, device, channel } = await newSubscriber()
    const id = await sendToChannel(product.owner, channel.id, 'nobody in particular')
    await untilDecided(id)
    await product.owner.call(editMessage, { message_id: id, content: `@**|${user.userId}** look` })
    await device.waitFor(1)
    await product.owner.call(editMessage, { message_id: id, content: `@**|${user.userId}** look here` })
    expect(await settled({ user, device })).toHaveLength(1)
  })

  test('everything in a followed topic, also in a muted channel', async () => {
    const { user, device, channel } = await newSubscriber()
    await setTopic(user, channel.id, 'plans', FOLLOWED)
    await setSubscription(user, channel.id, 'is_muted', true)
    await sendToChannel(product.owner, channel.id, 'news', 'plans')
    expect(await device.waitFor(1)).toHaveLength(1)
  })

  test('everything in a channel whose subscription wants that', async () => {
    const { user, device, channel } = await newSubscriber()
    await setSubscription(user, channel.id, 'push_notifications', true)
    await sendToChannel(product.owner, channel.id, 'news')
    expect(await device.waitFor(1)).toHaveLength(1)
  })

  test('everything in channels, if the settings want that', async () => {
    const { device, channel } = await newSubscriber({ enable_stream_push_notifications: true })
    await sendToChannel(product.owner, channel.id, 'news')
    expect(await device.waitFor(1)).toHaveLength(1)
  })

  test('a long message to many people within 4 KiB', async () => {
    const { user, device } = await newOwner()
    const others = await newUsers(product, 3)
    await sendDirectly(product.owner, [user, ...others], '🐙'.repeat(3_000))
    const [push] = await device.waitFor(1)
    expect(push?.bytes).toBeLessThanOrEqual(4_096)
    expect(push?.payload['content']).toBe(`${'🐙'.repeat(200)}…`)
  })

  test('a message of people with long names within 4 KiB', async () => {
    const { user, device } = await newOwner()
    const names = Array.from({ length: 4 }, (_, index) => `Ann ${'🐙'.repeat(90)} No${index}`)
    const [sender, ...others] = await Promise.all(names.map((name) => product.createUser(name)))
    if (!sender) throw new Error('there is no sender')
    await sendDirectly(sender, [user, ...others], '🦑'.repeat(300))
    const [push] = await device.waitFor(1)
    expect(push?.bytes).toBeLessThanOrEqual(4_096)
    expect(push?.payload['content']).toMatch(/^🦑{20}/u)
    expect(push?.payload['title']).toMatch(/^(Ann|User).*Ann 🐙{16,}, /u)
  })

  test('a message although its user is active, unless they want that only while they are away', async () => {
    const [any, away] = [await newOwner(), await newOwner({ enable_online_push_notifications: false })]
    for (const { user } of [any, away]) await user.call(updatePresence, { status: 'active' })
    const id = await sendDirectly(product.owner, [any.user, away.user], 'present')
    await any.device.waitFor(1)
    await untilDecided(id)
    await letPresenceAge(product, 201)
    expect(await settled(away)).toEqual([])
  })
})

describe.concurrent('a device does not get', () => {
  test('a plain message in a channel, one of its own user, a silent mention', async () => {
    const { user, device, channel } = await newSubscriber()
    const [other] = await newUsers(product, 1)
    await sendToChannel(product.owner, channel.id, 'news')
    await sendToChannel(product.owner, channel.id, `@_**|${user.userId}** news`)
    await sendDirectly(user, [other], 'mine')
    expect(await settled({ user, device })).toEqual([])
  })

  test('direct messages and mentions with those turned off', async () => {
    const { user, device, channel } = await newSubscriber({
      enable_offline_push_notifications: false,
      // What is followed concerns them in another way.
      automatically_follow_topics_where_mentioned: false,
    })
    await sendToChannel(product.owner, channel.id, `@**|${user.userId}** one`)
    expect(await settledThen({ user, device }, { enable_offline_push_notifications: true })).toEqual([])
  })

  test('anything with both settings turned off', async () => {
    const off = { enable_offline_push_notifications: false, enable_online_push_notifications: false }
    const { user, device, channel } = await newSubscriber(off)
    await setSubscription(user, channel.id, 'push_notifications', true)
    await sendToChannel(product.owner, channel.id, 'news')
    const on = { enable_offline_push_notifications: true, enable_online_push_notifications: true }
    expect(await settledThen({ user, device }, on)).toEqual([])
  })

  test('followed topics with those turned off', async () => {
    const { user, device, channel } = await newSubscriber({ enable_followed_topic_push_notifications: false })
    await setTopic(user, channel.id, 'plans', FOLLOWED)
    await sendToChannel(product.owner, channel.id, 'news', 'plans')
    expect(await settled({ user, device })).toEqual([])
  })

  test('a channel whose subscription refuses it, or that is muted', async () => {
    const { user, device, channel } = await newSubscriber()
    const muted = await newChannel(product.owner, { others: [user] })
    await setSubscription(user, channel.id, 'push_notifications', false)
    await setSubscription(user, muted.id, 'is_muted', true)
    // Not before: the notice of a new channel would be on the device until it is read.
    await user.call(updateSettings, { enable_stream_push_notifications: true })
    await sendToChannel(product.owner, channel.id, 'news')
    await sendToChannel(product.owner, muted.id, 'news')
    expect(await settled({ user, device })).toEqual([])
  })

  test('mentions of everyone with those turned off, in general or for the channel', async () => {
    const { user, device, channel } = await newSubscriber({ wildcard_mentions_notify: false })
    await untilDecided(await sendToChannel(product.owner, channel.id, '@**all** one'))
    await user.call(updateSettings, { wildcard_mentions_notify: true })
    await setSubscription(user, channel.id, 'wildcard_mentions_notify', false)
    await sendToChannel(product.owner, channel.id, '@**all** two')
    expect(await settled({ user, device })).toEqual([])
  })

  test('messages of a muted user', async () => {
    const owner = await newOwner()
    const [muted] = await newUsers(product, 1)
    await owner.user.call(muteUser, { muted_user_id: muted.userId })
    await sendDirectly(muted, [owner.user], 'one')
    expect(await settled(owner)).toEqual([])
  })

  test('a message after the key of its user was replaced, or the account deactivated', async () => {
    const [renewed, gone, witness] = [await newOwner(), await newOwner(), await newOwner()]
    await renewed.user.call(regenerateApiKey, {})
    await product.owner.call(deactivateUser, { user_id: gone.user.userId })
    await sendDirectly(product.owner, [renewed.user], 'secret')
    await untilKnown(renewed.user, false)
    await settled(witness)
    for (const { device } of [renewed, gone]) expect(device.attempts).toBe(0)
  })
})

describe.concurrent('what is on a device disappears', () => {
  const removedFrom = async (device: PushSubscriber, id: number) => {
    await until(async () => typeOf(device, 'remove').length > 0)
    expect(typeOf(device, 'remove')).toEqual([
      expect.objectContaining({ message_ids: [id], unread_count: 0 }),
    ])
    const { headers } = device.received.at(-1) ?? {}
    expect(headers).toMatchObject({ urgency: 'normal' })
    // The service would drop one for another.
    expect(headers).not.toHaveProperty('topic')
  }

  test('when it is read elsewhere', async () => {
    const { user, device } = await newOwner()
    const id = await sendDirectly(product.owner, [user], 'quickly')
    await device.waitFor(1)
    await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
    await removedFrom(device, id)
  })

  test('when everything is marked as read, in one notice', async () => {
    const { user, device } = await newOwner()
    const ids = [
      await sendDirectly(product.owner, [user], 'one'),
      await sendDirectly(product.owner, [user], 'two'),
    ]
    await device.waitFor(2)
    expect(messagesOn(device).map(({ unread_count }) => unread_count)).toEqual([1, 2])
    await user.call(markAllAsRead, {})
    await until(async () => typeOf(device, 'remove').length > 0)
    expect(typeOf(device, 'remove').map(({ message_ids }) => message_ids)).toEqual([ids.toReversed()])
  })

  test('when it is deleted', async () => {
    const { user, device } = await newOwner()
    const id = await sendDirectly(product.owner, [user], 'oops')
    await device.waitFor(1)
    await product.owner.call(deleteMessage, { message_id: id })
    await removedFrom(device, id)
  })

  test('when its user leaves the private channel', async () => {
    const { user, device, channel } = await newSubscriber({}, { isPrivate: true })
    const id = await sendToChannel(product.owner, channel.id, `@**|${user.userId}** secret`)
    await device.waitFor(1)
    await user.call(unsubscribe, { subscriptions: [channel.name] })
    await removedFrom(device, id)
  })

  test('but not from a browser that did not ask for that', async () => {
    const { user, device } = await newOwner({}, { removals: false })
    const id = await sendDirectly(product.owner, [user], 'quickly')
    await device.waitFor(1)
    await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
    const witness = await newOwner()
    const other = await sendDirectly(product.owner, [witness.user], 'quickly')
    await witness.device.waitFor(1)
    await witness.user.call(updateMessageFlags, { messages: [other], op: 'add', flag: 'read' })
    await removedFrom(witness.device, other)
    expect(device.received).toHaveLength(1)
  })
})

describe.concurrent('subscriptions', () => {
  test('are tested one by one or all', async () => {
    const { user, device } = await newOwner()
    const second = service.subscribe()
    await user.call(addWebPushSubscription, second.subscription)
    expect(await user.send(testPushNotification, { token: second.subscription.endpoint })).toMatchObject(
      success(),
    )
    await second.waitFor(1)
    expect(device.received).toHaveLength(0)
    // Of a device, one test waits at a time, until its delivery is recorded.
    await until(async () => {
      const { rows } = await usersDb.query('select from push_deliveries where account_id = $1', [user.userId])
      return rows.length === 0
    })
    await user.call(testPushNotification, {})
    expect((await device.waitFor(1))[0]?.payload).toMatchObject({ type: 'test', user_id: user.userId })
    await second.waitFor(2)
  })

  test('are removed, and once removed get nothing', async () => {
    const { user, device } = await newOwner()
    const { endpoint } = device.subscription
    expect(await user.send(removeWebPushSubscription, { endpoint })).toMatchObject(success())
    expect(await user.send(removeWebPushSubscription, { endpoint })).toMatchObject(refusal('BAD_REQUEST'))
    await untilKnown(user, false)
  })

  test('that two people register at once are those of one of them', async () => {
    const users = await newUsers(product, 2)
    for (let round = 0; round < 10; round++) {
      const { subscription } = service.subscribe()
      await Promise.all(users.map((user) => user.call(addWebPushSubscription, subscription)))
      const listed = await Promise.all(users.map((user) => user.call(listPushDevices, {})))
      expect(listed.flatMap(({ push_devices }) => push_devices)).toHaveLength(round + 1)
    }
  })

  test('that another person registers show nothing of the one before', async () => {
    const { user: former, device } = await newOwner()
    const [user] = await newUsers(product, 1)
    // With another secret it isn't the same browser: an address may be known to others.
    const other = service.subscribe().subscription
    await user.call(addWebPushSubscription, { ...other, endpoint: device.subscription.endpoint })
    expect((await former.call(listPushDevices, {})).push_devices).toHaveLength(1)
    await user.call(removeWebPushSubscription, { endpoint: device.subscription.endpoint })

    await user.call(addWebPushSubscription, device.subscription)
    await untilKnown(former, false)
    expect((await former.call(listPushDevices, {})).push_devices).toEqual([])
    await untilKnown(user)
    await sendDirectly(product.owner, [former], 'for the one before')
    await sendDirectly(product.owner, [user], 'for you')
    expect(await settled({ user, device })).toEqual(['for you'])
  })

  test('are refused with a bad address or bad keys, and to bots', async () => {
    const { user } = await newOwner()
    const { subscription } = service.subscribe()
    for (const wrong of [{ endpoint: 'ftp://example.com' }, { p256dh: 'abc' }, { auth: 'abc' }])
      expect(await user.send(addWebPushSubscription, { ...subscription, ...wrong })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    const bot = await newBotOf(user)
    expect(await bot.send(addWebPushSubscription, subscription)).toMatchObject(refusal('BAD_REQUEST'))
  })

  test.each([404, 410])('that no longer exist (%i) are removed', async (status) => {
    const { user, device } = await newOwner()
    device.answerNext({ status })
    await sendDirectly(product.owner, [user], 'gone')
    await untilKnown(user, false)
    expect(device.attempts).toBe(1)
  })

  test('are tried again after a failure, and no sooner than the service asks for', async () => {
    const { user, device } = await newOwner()
    device.answerNext({ status: 500 }, { status: 429, headers: { 'retry-after': '3' } })
    await sendDirectly(product.owner, [user], 'again')
    await until(async () => device.attempts === 2)
    const since = performance.now()
    await device.waitFor(1)
    expect(performance.now() - since).toBeGreaterThan(2_500)
    expect(device.attempts).toBe(3)
  })

  test('are given up at once where another attempt cannot help', async () => {
    const { user, device } = await newOwner()
    device.answerNext({ status: 403 })
    await sendDirectly(product.owner, [user], 'refused')
    await until(async () => device.attempts === 1)
    expect(await settled({ user, device })).toEqual([])
    expect(device.attempts).toBe(2)
  })
})

test('the server settings have the key that browsers subscribe with', async () => {
  const settings = await product.owner.call(endpoints.realm.getServerSettings, {})
  expect(settings.web_push_public_key).toBe(keys.WEB_PUSH_PUBLIC_KEY)
})

test('beyond what an hour may bring, one notification sums up the rest', async () => {
  const { user, device } = await newOwner()
  for (let index = 0; index < PER_HOUR + 3; index++)
    await sendDirectly(product.owner, [user], `number ${index}`)
  await until(async () => typeOf(device, 'summary').length > 0)
  const witness = await newOwner()
  await settled(witness)
  expect(messagesOn(device)).toHaveLength(PER_HOUR - 1)
  expect(typeOf(device, 'summary')).toHaveLength(1)

  const letAnHourPass = (of: 'messages' | 'summaries') =>
    usersDb.query(
      `update push_hand_overs
          set handed_over_at = handed_over_at - interval '61 minutes'
        where user_id = $1 and is_summary = $2`,
      [user.userId, of === 'summaries'],
    )
  await letAnHourPass('messages')
  await sendDirectly(product.owner, [user], 'within the hour of the summary')
  await settled(witness)
  expect(messagesOn(device)).toHaveLength(PER_HOUR - 1)
  await letAnHourPass('summaries')
  await sendDirectly(product.owner, [user], 'of the next hour')
  await until(async () => contentsOn(device).includes('of the next hour'))
  expect(typeOf(device, 'summary')).toHaveLength(1)
})

waitingPushTests(() => ({ product, usersDb, service, keys, newOwner, settled, untilKnown }))

test('a service that does not answer holds up no other, and gets what waits when it does', async () => {
  const slow = await startPushService(keys.WEB_PUSH_PUBLIC_KEY)
  const late = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const [user] = await newUsers(product, 1)
      const device = slow.subscribe()
      await user.call(addWebPushSubscription, device.subscription)
      await untilKnown(user)
      return { user, device }
    }),
  )
  const quick = await newOwner()
  slow.hang()
  for (const { user } of late) await sendDirectly(product.owner, [user], 'patience')
  await settled(quick)
  expect(late.every(({ device }) => device.received.length === 0)).toBe(true)
  slow.resume()
  for (const { device } of late) await device.waitFor(1)
  slow.close()
  expect(slow.faults).toEqual([])
})

test('what waits for a service and is read meanwhile is not sent', async () => {
  const slow = await startPushService(keys.WEB_PUSH_PUBLIC_KEY)
  const [user] = await newUsers(product, 1)
  const device = slow.subscribe()
  device.answerNext({ status: 503, headers: { 'retry-after': '5' } })
  await user.call(addWebPushSubscription, { ...device.subscription, removals: true })
  await untilKnown(user)
  const id = await sendDirectly(product.owner, [user], 'late')
  await until(async () => device.attempts === 1)
  await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
  await device.waitFor(1)
  expect(device.received.map(({ payload }) => payload['type'])).toEqual(['remove'])
  slow.close()
})

test('each is handed over once although replicas of messaging die', async () => {
  const owners = await Promise.all(Array.from({ length: 6 }, () => newOwner()))
  const sending = (async () => {
    for (let round = 0; round < 3; round++)
      // A request to the replica that dies fails, and is made again.
      for (const { user } of owners)
        await until(async () =>
          sendDirectly(product.owner, [user], `round ${round}`).then(
            () => true,
            () => false,
          ),
        )
  })()
  await until(async () => owners.some(({ device }) => device.received.length > 0))
  const dying = product.system.replica('messaging', 0)
  await dying.kill('SIGKILL')
  await sending
  await until(async () => owners.every(({ device }) => new Set(contentsOn(device)).size === 3))
  await dying.start()
  for (const owner of owners) {
    const pushed = await settled(owner)
    const { messages } = await owner.user.call(endpoints.messaging.getMessages, {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      narrow: [{ operator: 'dm', operand: [product.owner.userId] }],
      apply_markdown: false,
    })
    const sent = messages.map(({ content }) => content).filter((content) => content.startsWith('round'))
    expect(new Set(pushed)).toEqual(new Set(sent))
    expect(pushed).toHaveLength(sent.length)
  }
}, 180_000)

test('operators see what was sent, and that nothing waits', async () => {
  const [url = ''] = product.system.urls.users
  await until(async () => (await metricOf(url, 'push_deliveries_waiting')) === 0)
  const counts = await Promise.all(product.system.urls.users.map((each) => metricOf(each, 'pushes_total')))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20)
  await until(
    async () => (await metricOf(product.system.urls.messaging[0] ?? '', 'push_notice_lag_seconds')) === 0,
  )
})
