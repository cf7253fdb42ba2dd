import { type EndpointInput, endpoints } from '@tms/contracts'
import { pickFreePort } from '@tms/local-system'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { open, post } from './support/account-pages.ts'
import { newGroup } from './support/groups.ts'
import { newGuestWithoutChannels, setGuestVisibility } from './support/guests.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import {
  headerOf,
  listSettledMails,
  setSubscription,
  textOf,
  untilDecided,
  untilHandedOver,
  untilMailed,
  wantsMails,
} from './support/missed-mails.ts'
import { metricOf } from './support/observe.ts'
import { letPresenceAge } from './support/presence-time.ts'
import { until } from './support/until.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from './support/users-and-channels.ts'

const { deactivateUser, muteUser, updatePresence, updateSettings } = endpoints.users
const { deleteMessage, editMessage, subscribe, unsubscribe, updateMessageFlags } = endpoints.messaging
const { updateUserTopic } = endpoints.messaging
type Settings = EndpointInput<typeof updateSettings>

const [FOLLOWED, MUTED] = [3, 1] as const
/** Mails that a user gets on a day; more than most tests send. */
const PER_DAY = 8

let product: TestSystem
let messagingDb: Pool
let mailServer: MailServer
beforeAll(async () => {
  mailServer = await startMailServer(await pickFreePort())
  product = await startTestSystem({
    env: process.env,
    replicas: { messaging: 2 },
    usersHavePasswords: false,
    serviceEnv: { MAIL_URL: mailServer.url, MISSED_MESSAGE_MAILS_PER_DAY: String(PER_DAY) },
  })
  messagingDb = createPool(product.system.databaseUrls.messaging, 2, createLog('test', 'silent'))
}, 180_000)
afterAll(async () => {
  await messagingDb.end()
  await product.stop()
  await mailServer.stop()
})

/** A user who is away and is mailed after a second. */
async function newAwayUser(settings: Settings = {}): Promise<ApiClient> {
  const [user] = await newUsers(product, 1)
  await user.call(updateSettings, { email_notifications_batching_period_seconds: 1, ...settings })
  return user
}

/** A user who is away and their channel, in which the owner is too. */
async function newSubscriber(
  settings: Settings = {},
  more: { readonly isPrivate?: boolean } = {},
): Promise<{ user: ApiClient; channel: { id: number; name: string } }> {
  const user = await newAwayUser(settings)
  return { user, channel: await newChannel(product.owner, { others: [user], ...more }) }
}

const mailsTo = ({ email }: ApiClient) => mailServer.mailsTo(email)
const waitForMails = ({ email }: ApiClient, count = 1) => mailServer.waitForMails(email, count)

const settledMails = (user: ApiClient) => listSettledMails(product, mailServer, user)

describe.concurrent('a user who is away is mailed', () => {
  test('a direct message, as text and as HTML', async () => {
    const user = await newAwayUser()
    await sendDirectly(product.owner, [user], 'Lunch is **ready** [here](/user_uploads/x)')
    const [mail] = await waitForMails(user)

    expect(mail?.subject).toMatch(/^DMs with /)
    expect(mail?.text).toContain(`> Lunch is **ready** [here](${product.baseUrl}/user_uploads/x)`)
    expect(mail?.html).toContain('Lunch is <strong>ready</strong>')
    expect(mail?.html).toContain(`href="${product.baseUrl}/user_uploads/x"`)
    expect(mail?.text).toContain('wrote to you directly')
  })

  test('in their language', async () => {
    const user = await newAwayUser({ default_language: 'fr' })
    await sendDirectly(product.owner, [user], 'Salut')
    const [mail] = await waitForMails(user)
    expect(mail?.subject).toMatch(/^Messages directs avec /)
    expect(mail?.text).toContain('Vous recevez cet e-mail parce qu’on vous a écrit directement.')
    expect(mail?.html).toContain('<html lang="fr">')
  })

  test('a direct message to a group', async () => {
    const [user, other] = [await newAwayUser(), await newAwayUser()]
    await sendDirectly(product.owner, [user, other], 'all of you')
    const [mail] = await waitForMails(user)
    expect(mail?.subject).toMatch(/^Group DMs with .* and /)
    expect(await waitForMails(other)).toHaveLength(1)
  })

  test('a direct message that mentions everyone', async () => {
    const user = await newAwayUser()
    await sendDirectly(product.owner, [user], '@**all** look')
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('wrote to you directly')
  })

  test('a mention, also in a muted topic', async () => {
    const { user, channel } = await newSubscriber()
    await user.call(updateUserTopic, {
      stream_id: channel.id,
      topic: 'plans',
      visibility_policy: MUTED,
    })
    await sendToChannel(product.owner, channel.id, `@**|${user.userId}** look`, 'plans')
    const [mail] = await waitForMails(user)
    expect(mail?.subject).toBe(`#${channel.name} > plans`)
    expect(mail?.text).toContain('you were mentioned')
  })

  test('a mention of a group, which the mail names', async () => {
    const { user, channel } = await newSubscriber()
    const group = await newGroup(product.owner, [user])
    await sendToChannel(product.owner, channel.id, `@*${group.name}* look`)
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain(`@${group.name} was mentioned`)
  })

  test('a mention of everyone in a channel', async () => {
    const { user, channel } = await newSubscriber()
    await sendToChannel(product.owner, channel.id, '@**all** look')
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('everyone in the channel was mentioned')
  })

  test('a mention of a topic in which the user has written', async () => {
    const { user, channel } = await newSubscriber({ automatically_follow_topics_policy: 4 })
    const silent = await newAwayUser()
    await silent.call(subscribe, { subscriptions: [{ name: channel.name }] })
    await sendToChannel(user, channel.id, 'mine', 'plans')
    await sendToChannel(product.owner, channel.id, '@**topic** look', 'plans')
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('all participants of the topic were mentioned')
    expect(await settledMails(silent)).toEqual([])
  })

  test('a mention that an edit adds, once', async () => {
    const { user, channel } = await newSubscriber()
    const id = await sendToChannel(product.owner, channel.id, 'nobody in particular')
    await untilDecided(messagingDb, id)
    await product.owner.call(editMessage, { message_id: id, content: `@**|${user.userId}** look` })
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('you were mentioned')
    await product.owner.call(editMessage, { message_id: id, content: `@**|${user.userId}** look here` })
    expect(await settledMails(user)).toHaveLength(1)
  })

  test('everything in a followed topic, also in a muted channel', async () => {
    const { user, channel } = await newSubscriber()
    await user.call(updateUserTopic, {
      stream_id: channel.id,
      topic: 'plans',
      visibility_policy: FOLLOWED,
    })
    await setSubscription(user, channel.id, 'is_muted', true)
    await sendToChannel(product.owner, channel.id, 'news', 'plans')
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('you follow this topic')
  })

  test('a mention of everyone in a followed topic of a muted channel', async () => {
    const { user, channel } = await newSubscriber()
    await user.call(updateUserTopic, {
      stream_id: channel.id,
      topic: 'plans',
      visibility_policy: FOLLOWED,
    })
    await setSubscription(user, channel.id, 'is_muted', true)
    await sendToChannel(product.owner, channel.id, '@**all** news', 'plans')
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('everyone was mentioned in a topic that you follow')
  })

  test('everything in a channel whose subscription wants that', async () => {
    const { user, channel } = await newSubscriber()
    await setSubscription(user, channel.id, 'email_notifications', true)
    await sendToChannel(product.owner, channel.id, 'news')
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('mails for this channel')
  })

  test('everything in channels, if the settings want that', async () => {
    const { user, channel } = await newSubscriber({ enable_stream_email_notifications: true })
    await sendToChannel(product.owner, channel.id, 'news')
    expect(await waitForMails(user)).toHaveLength(1)
  })
})

test('a user is mailed although many unknown users come before', async () => {
  const usersDb = createPool(product.system.databaseUrls.users, 1, createLog('test', 'silent'))
  await usersDb.query(`select setval(pg_get_serial_sequence('accounts', 'id'), 10000)`)
  await usersDb.end()
  const { user, channel } = await newSubscriber()
  // More than a round takes for one message.
  await messagingDb.query(
    `insert into user_topics (user_id, channel_id, topic_key, topic_name, visibility_policy)
     select id, $1, 'plans', 'plans', $2
       from (select generate_series(5001, 7300) union all select $3::bigint) as follower (id)
     returning user_id`,
    [channel.id, FOLLOWED, user.userId],
  )
  await sendToChannel(product.owner, channel.id, 'news', 'plans')
  expect(await waitForMails(user)).toHaveLength(1)
  expect(await settledMails(user)).toHaveLength(1)
})

describe.concurrent('a user is not mailed', () => {
  test('a plain message in a channel', async () => {
    const { user, channel } = await newSubscriber()
    await sendToChannel(product.owner, channel.id, 'news')
    expect(await settledMails(user)).toEqual([])
  })

  test('anything with such mails turned off', async () => {
    const user = await newAwayUser({ enable_offline_email_notifications: false })
    await untilDecided(messagingDb, await sendDirectly(product.owner, [user], 'before'))
    await user.call(updateSettings, { enable_offline_email_notifications: true })
    expect(await settledMails(user)).toEqual([])
  })

  test('what came before such mails were turned off', async () => {
    const user = await newAwayUser({ email_notifications_batching_period_seconds: 3_600 })
    const id = await sendDirectly(product.owner, [user], 'before')
    await untilDecided(messagingDb, id)
    await user.call(updateSettings, { enable_offline_email_notifications: false })
    await user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
    await untilHandedOver(messagingDb, user)
    await user.call(updateSettings, { enable_offline_email_notifications: true })
    expect(await settledMails(user)).toEqual([])
  })

  test('mentions of everyone with those turned off, in general or for the channel', async () => {
    const { user, channel } = await newSubscriber({ wildcard_mentions_notify: false })
    await untilDecided(messagingDb, await sendToChannel(product.owner, channel.id, '@**all** one'))
    await user.call(updateSettings, { wildcard_mentions_notify: true })
    await setSubscription(user, channel.id, 'wildcard_mentions_notify', false)
    await sendToChannel(product.owner, channel.id, '@**all** two')
    expect(await settledMails(user)).toEqual([])
  })

  test('followed topics with those turned off', async () => {
    const { user, channel } = await newSubscriber({
      enable_followed_topic_email_notifications: false,
      enable_followed_topic_wildcard_mentions_notify: false,
    })
    await setSubscription(user, channel.id, 'is_muted', true)
    await user.call(updateUserTopic, {
      stream_id: channel.id,
      topic: 'plans',
      visibility_policy: FOLLOWED,
    })
    await sendToChannel(product.owner, channel.id, 'one', 'plans')
    await sendToChannel(product.owner, channel.id, '@**all** two', 'plans')
    expect(await settledMails(user)).toEqual([])
  })

  test('messages of a muted user, silent mentions, and mentions without a subscription', async () => {
    const { user, channel } = await newSubscriber()
    const [muted] = await newUsers(product, 1)
    await user.call(muteUser, { muted_user_id: muted.userId })
    await sendDirectly(muted, [user], 'one')
    await sendToChannel(product.owner, channel.id, `@_**|${user.userId}** two`)
    const other = await newChannel(product.owner)
    await sendToChannel(product.owner, other.id, `@**|${user.userId}** three`)
    expect(await settledMails(user)).toEqual([])
  })

  test('a message that is read before it is mailed', async () => {
    const user = await newAwayUser({ email_notifications_batching_period_seconds: 3_600 })
    const id = await sendDirectly(product.owner, [user], 'quickly')
    await untilDecided(messagingDb, id)
    await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
    await user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
    expect(await settledMails(user)).toEqual([])
  })

  test('a message that is deleted before it is mailed', async () => {
    const user = await newAwayUser({ email_notifications_batching_period_seconds: 3_600 })
    const id = await sendDirectly(product.owner, [user], 'oops')
    await untilDecided(messagingDb, id)
    await product.owner.call(deleteMessage, { message_id: id })
    await user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
    expect(await settledMails(user)).toEqual([])
  })

  test('a message of a private channel that the user has left', async () => {
    const { user, channel } = await newSubscriber(
      { email_notifications_batching_period_seconds: 3_600 },
      { isPrivate: true },
    )
    await untilDecided(
      messagingDb,
      await sendToChannel(product.owner, channel.id, `@**|${user.userId}** secret`),
    )
    await user.call(unsubscribe, { subscriptions: [channel.name] })
    await user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
    expect(await settledMails(user)).toEqual([])
  })

  test('anything after the account was deactivated', async () => {
    const user = await newAwayUser({ email_notifications_batching_period_seconds: 3_600 })
    await untilDecided(messagingDb, await sendDirectly(product.owner, [user], 'bye'))
    await product.owner.call(deactivateUser, { user_id: user.userId })
    await messagingDb.query(
      'update missed_message_batches set attempt_at = now() where user_id = $1 returning id',
      [user.userId],
    )
    await untilHandedOver(messagingDb, user)
    const witness = await newAwayUser()
    await settledMails(witness)
    expect(mailsTo(user)).toEqual([])
  })
})

test('a user who is active is not mailed, and is mailed again once presence is old', async () => {
  const user = await newAwayUser()
  await user.call(updatePresence, { status: 'active' })
  await untilDecided(messagingDb, await sendDirectly(product.owner, [user], 'present'))
  await letPresenceAge(product, 201)
  expect(await settledMails(user)).toEqual([])
})

describe.concurrent('mails about missed messages', () => {
  test('show a message as it was edited', async () => {
    const user = await newAwayUser({ email_notifications_batching_period_seconds: 3_600 })
    const id = await sendDirectly(product.owner, [user], 'wrnog')
    await untilDecided(messagingDb, id)
    await product.owner.call(editMessage, { message_id: id, content: 'right' })
    await user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('> right')
    expect(mail?.text).not.toContain('wrnog')
  })

  test('are one for each conversation, in threads', async () => {
    const { user, channel } = await newSubscriber({ email_notifications_batching_period_seconds: 3_600 })
    const mention = `@**|${user.userId}**`
    for (const [topic, text] of [
      ['Plans', 'one'],
      ['plans', 'two'],
      ['other', 'three'],
    ] as const)
      await untilDecided(
        messagingDb,
        await sendToChannel(product.owner, channel.id, `${mention} ${text}`, topic),
      )
    expect(mailsTo(user)).toEqual([])
    await user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
    const mails = await waitForMails(user, 2)
    const plans = mails.find(({ subject }) => /plans$/i.test(subject ?? ''))
    expect(plans?.text).toMatch(/one[^]*two/)

    await sendToChannel(product.owner, channel.id, `${mention} four`, 'PLANS')
    const again = (await waitForMails(user, 3)).at(-1)
    // What was written right before a mention is there to understand it
    expect(again?.text).toMatch(/two[^]*four/)
    expect(plans && headerOf(plans, 'references')).toMatch(/^<\d+\.[\w-]+@/)
    expect(again && headerOf(again, 'references')).toBe(plans && headerOf(plans, 'references'))
    expect(again?.messageId).not.toBe(plans?.messageId)
    expect(mailsTo(user)).toHaveLength(3)
  })

  test('show the newest of many messages', async () => {
    const user = await newAwayUser({ email_notifications_batching_period_seconds: 3_600 })
    for (let index = 1; index <= 23; index++) await sendDirectly(product.owner, [user], `number ${index}.`)
    await untilDecided(messagingDb, await sendDirectly(product.owner, [user], 'number 24.'))
    await user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('4 earlier messages not shown here')
    expect(mail?.text).not.toContain('number 4.')
    expect(mail?.text).toMatch(/number 5\.[^]*number 24\./)
  })

  test('have nothing of what a spoiler hides', async () => {
    const user = await newAwayUser()
    await sendDirectly(product.owner, [user], '```spoiler The end\nthe butler\n```')
    const [mail] = await waitForMails(user)
    expect(mail?.text).toContain('The end')
    expect(`${mail?.text} ${mail?.html}`).not.toContain('butler')
  })

  test('show no content if the user does not want it', async () => {
    const user = await newAwayUser({ message_content_in_email_notifications: false })
    await sendDirectly(product.owner, [user], 'confidential')
    const [mail] = await waitForMails(user)
    expect(mail?.subject).toBe('New messages')
    expect(mail?.text).toContain('turned that off in your settings')
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/confidential|narrow/)
  })

  test('name the organization if the user wants that', async () => {
    const user = await newAwayUser({ realm_name_in_email_notifications_policy: 2 })
    await sendDirectly(product.owner, [user])
    const [mail] = await waitForMails(user)
    expect(mail?.subject).toMatch(/ \[.+\]$/)
  })

  test('are bounded within a day, and the last one says so', async () => {
    const { user, channel } = await newSubscriber({ email_notifications_batching_period_seconds: 3_600 })
    for (let index = 0; index < PER_DAY + 2; index++)
      await untilDecided(
        messagingDb,
        await sendToChannel(product.owner, channel.id, `@**|${user.userId}**`, `topic ${index}`),
      )
    await user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
    const mails = await waitForMails(user, PER_DAY)
    const summary = mails.find(({ subject }) => subject?.startsWith('Unread messages'))
    expect(summary?.text).toMatch(/in 3 more conversations\.\s+You get no more mails/)

    await untilDecided(messagingDb, await sendDirectly(product.owner, [user], 'one more'))
    await untilHandedOver(messagingDb, user)
    await settledMails(await newAwayUser())
    expect(mailsTo(user)).toHaveLength(PER_DAY)
  })

  test('are turned off by one click, and by a page that asks first', async () => {
    const user = await newAwayUser()
    await sendDirectly(product.owner, [user], 'first')
    const [mail] = await waitForMails(user)
    const link = /<(.+)>/.exec((mail && headerOf(mail, 'list-unsubscribe')) ?? '')?.[1] ?? ''
    expect(mail && headerOf(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(mail && headerOf(mail, 'list-id')).toContain(new URL(product.baseUrl).hostname)

    const page = await open(link)
    expect(page.text).toContain('<button>Unsubscribe</button>')
    expect(await wantsMails(user)).toBe(true)

    expect((await post(link, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
    expect(await wantsMails(user)).toBe(false)
    expect((await post(link, {})).text).toContain('You are unsubscribed')
    expect((await open(link.slice(0, -2))).status).toBe(404)
    expect((await post(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`, {})).status).toBe(404)
  })
})

test('mails show no content if the organization does not allow it', async () => {
  await product.owner.call(endpoints.realm.updateRealm, {
    message_content_allowed_in_email_notifications: false,
  })
  const user = await newAwayUser()
  await sendDirectly(product.owner, [user], 'confidential')
  const [mail] = await waitForMails(user)
  await product.owner.call(endpoints.realm.updateRealm, {
    message_content_allowed_in_email_notifications: true,
  })
  expect(mail?.text).toContain('your organization has turned that off')
  expect(`${mail?.text} ${mail?.html}`).not.toContain('confidential')
})

test('mails to guests do not name senders that they cannot see', async () => {
  await setGuestVisibility(product, 'limited')
  const guest = await newGuestWithoutChannels(product)
  await guest.call(updateSettings, { email_notifications_batching_period_seconds: 3_600 })
  const [sender] = await newUsers(product, 1)
  const channel = await newChannel(product.owner, { others: [guest, sender] })
  await untilDecided(messagingDb, await sendToChannel(sender, channel.id, `@**|${guest.userId}** hello`))
  await sender.call(unsubscribe, { subscriptions: [channel.name] })
  await guest.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
  const [mail] = await waitForMails(guest)
  await setGuestVisibility(product, 'unlimited')
  expect(mail?.text).toContain('Unknown user:')
})

test('what cannot be handed over is given up in the end', async () => {
  // Two of an organization that isn't there, which were tried for a day, and just now.
  const { rows } = await messagingDb.query<{ id: string }>(
    `insert into missed_message_batches (realm_id, user_id, attempt_at, is_sealed, attempts)
     values (987654, 1, now(), true, 294), (987654, 2, now(), true, 0)
     returning id`,
  )
  const [old, recent] = rows.map(({ id }) => id)
  const attemptsOf = async (id: string | undefined) => {
    const found = await messagingDb.query<{ attempts: number }>(
      'select attempts from missed_message_batches where id = $1',
      [id],
    )
    return found.rows[0]?.attempts ?? null
  }
  await until(async () => (await attemptsOf(old)) === null)
  await until(async () => (await attemptsOf(recent)) === 2)
  await messagingDb.query('delete from missed_message_batches where id = $1 returning id', [recent])
})

test('while the mail server is down nothing is lost, and each is mailed once when it is back', async () => {
  const users = [await newAwayUser(), await newAwayUser(), await newAwayUser()]
  await mailServer.stop()
  for (const user of users) await sendDirectly(product.owner, [user], 'are you there')
  const [url = ''] = product.system.urls.users
  await until(async () => (await metricOf(url, 'jobs_lag_seconds')) > 0.5)
  await mailServer.start()
  for (const user of users) expect(await waitForMails(user)).toHaveLength(1)
  await untilMailed(product)
  expect(users.map((user) => mailsTo(user).length)).toEqual([1, 1, 1])
})

test('a mail that waits for the mail server is renewed when it is sent', async () => {
  const [gone, secretive, witness] = [await newAwayUser(), await newAwayUser(), await newAwayUser()]
  await mailServer.stop()
  for (const user of [gone, secretive, witness])
    await untilDecided(messagingDb, await sendDirectly(product.owner, [user], 'confidential'))
  for (const user of [gone, secretive, witness]) await untilHandedOver(messagingDb, user)
  await product.owner.call(deactivateUser, { user_id: gone.userId })
  await secretive.call(updateSettings, { message_content_in_email_notifications: false })
  await mailServer.start()
  expect(textOf((await waitForMails(witness))[0] as Email)).toContain('confidential')
  expect(textOf((await waitForMails(secretive))[0] as Email)).not.toContain('confidential')
  await untilMailed(product)
  expect(mailsTo(gone)).toEqual([])
})

test('a mail that waits for the mail server has nothing of what was read, deleted or lost meanwhile', async () => {
  const later = { email_notifications_batching_period_seconds: 3_600 }
  const [reader, counter, edited, partly] = await Promise.all(
    [{}, { message_content_in_email_notifications: false }, {}, {}].map((settings) =>
      newAwayUser({ ...later, ...settings }),
    ),
  )
  const { user: leaver, channel } = await newSubscriber(later, { isPrivate: true })
  const { user: mover, channel: moving } = await newSubscriber(later)
  await mailServer.stop()
  const toEach = async (text: string) => {
    const ids: number[] = []
    for (const user of [reader, counter, edited, partly])
      ids.push(await sendDirectly(product.owner, [user as ApiClient], text))
    return ids
  }
  const [, , firstOfEdited = 0, firstOfPartly = 0] = await toEach('first')
  await toEach('second')
  await sendToChannel(product.owner, channel.id, `@**|${leaver.userId}** look`)
  const moved = await sendToChannel(product.owner, moving.id, `@**|${mover.userId}** look`, 'plans')
  await untilDecided(messagingDb, moved)
  const users = [reader, counter, edited, partly, leaver, mover] as ApiClient[]
  for (const user of users)
    await user.call(updateSettings, { email_notifications_batching_period_seconds: 1 })
  for (const user of users) await untilHandedOver(messagingDb, user)

  for (const user of [reader, counter] as ApiClient[]) await user.call(endpoints.messaging.markAllAsRead, {})
  await partly?.call(updateMessageFlags, { messages: [firstOfPartly], op: 'add', flag: 'read' })
  await product.owner.call(editMessage, { message_id: firstOfEdited, content: 'as edited' })
  await leaver.call(unsubscribe, { subscriptions: [channel.name] })
  await product.owner.call(editMessage, { message_id: moved, topic: 'renamed', propagate_mode: 'change_all' })
  await mailServer.start()

  const quotesOf = async (user: ApiClient | undefined) =>
    textOf((await waitForMails(user as ApiClient))[0] as Email).match(/^> .*/gm)
  expect(await quotesOf(edited)).toEqual(['> as edited', '> second'])
  expect(await quotesOf(partly)).toEqual(['> second'])
  expect((await waitForMails(mover))[0]?.subject).toBe(`#${moving.name} > renamed`)
  await untilMailed(product)
  expect([reader, counter, leaver].map((user) => mailsTo(user as ApiClient))).toEqual([[], [], []])
})

test('each is mailed once although a replica of messaging dies', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, () => newAwayUser()))
  const sending = (async () => {
    for (let round = 0; round < 4; round++)
      // A request to the replica that dies fails, and is made again.
      for (const user of users)
        await until(async () =>
          sendDirectly(product.owner, [user], `round ${round} `).then(
            () => true,
            () => false,
          ),
        )
  })()
  await until(async () => users.some((user) => mailsTo(user).length > 0))
  const dying = product.system.replica('messaging', 0)
  await dying.kill('SIGKILL')
  await sending
  const roundsOf = (user: ApiClient) =>
    mailsTo(user).flatMap((mail) => [...textOf(mail).matchAll(/> (round \d)/g)].map(([, round]) => round))
  await until(async () => users.every((user) => new Set(roundsOf(user)).size === 4))
  await dying.start()
  await Promise.all(users.map(settledMails))
  for (const user of users) {
    const { messages } = await user.call(endpoints.messaging.getMessages, {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      narrow: [{ operator: 'dm', operand: [product.owner.userId] }],
      apply_markdown: false,
    })
    const sent = messages.map(({ content }) => content).filter((content) => content.startsWith('round'))
    expect(roundsOf(user).sort()).toEqual(sent.sort())
  }
}, 180_000)
