import { endpoints, Role } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import { type ApiClient, type ClientEvent, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { uploadTo } from '../support/files.ts'
import { until } from '../support/until.ts'
import {
  newChannel,
  newUserOfRole,
  newUsers,
  secondsFromNow,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, watch } from '../support/watch.ts'

const { addReaction, createDrafts, createScheduledMessage, deleteMessage, editMessage } = endpoints.messaging
const { getChannel, getMessage, getMessageHistory, getMessages, getReadReceipts } = endpoints.messaging
const { listSubscribers, listTopics, sendMessage, subscribe } = endpoints.messaging
const { unsubscribe, updateChannel, updateMessageFlags } = endpoints.messaging
const { createBot, deactivateUser, reactivateUser, updateUser } = endpoints.users

/** Lost access. docs/security.md lists what every change revokes. */
export const revokedAccessTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let ann: ApiClient
  let ben: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[ann, ben] = await newUsers(system(), 2)
  })
  const setRole = ({ userId }: ApiClient, role: Role) => owner.call(updateUser, { user_id: userId, role })
  const link = (url: string) => `See [this](${url}).`
  const textsOf = async (client: ApiClient) => {
    const page = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false }
    return (await client.call(getMessages, page)).messages.map(({ content }) => content)
  }
  /** The statuses of everything that a user may do with a channel and a message in it. */
  const statusesOf = async (
    client: ApiClient,
    { id, name }: { id: number; name: string },
    message_id: number,
  ) => {
    const to = { type: 'channel', to: name, topic: 'a topic', content: 'x' } as const
    const draft = { type: 'stream' as const, to: [id], topic: 'a topic', content: 'x' }
    const answers = {
      message: client.send(getMessage, { message_id }),
      history: client.send(getMessageHistory, { message_id }),
      receipts: client.send(getReadReceipts, { message_id }),
      edit: client.send(editMessage, { message_id, topic: 'another' }),
      reaction: client.send(addReaction, { message_id, emoji_name: 'tada' }),
      channel: client.send(getChannel, { stream_id: id }),
      topics: client.send(listTopics, { stream_id: id }),
      subscribers: client.send(listSubscribers, { stream_id: id }),
      subscribing: client.send(subscribe, { subscriptions: [{ name }] }),
      sending: client.send(sendMessage, to),
      scheduling: client.send(createScheduledMessage, {
        ...to,
        to: id,
        scheduled_delivery_timestamp: secondsFromNow(3_600),
      }),
      draft: client.send(createDrafts, { drafts: [draft] }),
    }
    const statuses: Record<string, number | undefined> = {}
    for (const [what, answer] of Object.entries(answers)) statuses[what] = (await answer).status
    return statuses
  }
  const allOf = (statuses: Record<string, number | undefined>) => [...new Set(Object.values(statuses))]

  describe('a member who is removed from a private channel', () => {
    test('loses all access there, and receives nothing of it', async () => {
      const channel = await newChannel(ann, { others: [ben], isPrivate: true, hasSharedHistory: true })
      const message_id = await sendToChannel(ben, channel.name, 'before')
      const watcher = await watch(ben, { event_types: ['message', 'typing', 'reaction', 'update_message'] })

      await owner.call(unsubscribe, { subscriptions: [channel.name], principals: [ben.userId] })

      expect(allOf(await statusesOf(ben, channel, message_id))).toEqual([400])
      const [events] = await eventsOf(system(), [watcher], async () => {
        await sendToChannel(ann, channel.name, 'afterwards')
        await ann.call(addReaction, { message_id, emoji_name: 'tada' })
        await ann.call(endpoints.messaging.setTypingStatus, {
          type: 'channel',
          op: 'start',
          stream_id: channel.id,
          topic: 'a topic',
        })
      })
      expect(events).toEqual([])
      expect(await textsOf(ben)).not.toContain('afterwards')
      await stopWatching([watcher])
    })

    test('loses the files that were posted since, and those of messages that they never received', async () => {
      const channel = await newChannel(ann, { isPrivate: true, hasSharedHistory: true })
      const [before, since] = [await uploadTo(ann), await uploadTo(ann)]
      await sendToChannel(ann, channel.name, link(before))
      await ann.call(subscribe, { subscriptions: [{ name: channel.name }], principals: [ben.userId] })
      expect((await ben.fetch(before)).status).toBe(200)

      await owner.call(unsubscribe, { subscriptions: [channel.name], principals: [ben.userId] })
      await sendToChannel(ann, channel.name, link(since))

      for (const url of [before, since]) expect((await ben.fetch(url)).status).toBe(404)
    })

    test('loses the same after leaving', async () => {
      const channel = await newChannel(ann, { others: [ben], isPrivate: true })
      const message_id = await sendToChannel(ben, channel.name, 'before')

      await ben.call(unsubscribe, { subscriptions: [channel.name] })

      expect(allOf(await statusesOf(ben, channel, message_id))).toEqual([400])
    })
  })

  test('a user outside a channel that becomes private loses all access', async () => {
    const channel = await newChannel(ann)
    const message_id = await sendToChannel(ann, channel.name, 'open for now')
    const url = await uploadTo(ann)
    await sendToChannel(ann, channel.name, link(url))
    await ben.call(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'starred' })
    expect((await ben.fetch(url)).status).toBe(200)

    await owner.call(subscribe, { subscriptions: [{ name: channel.name }] })
    await owner.call(updateChannel, { stream_id: channel.id, is_private: true })

    expect(allOf(await statusesOf(ben, channel, message_id))).toEqual([400])
    expect((await ben.fetch(url)).status).toBe(404)
  })

  describe('an administrator who became a member', () => {
    test('receives no events for administrators in an existing queue', async () => {
      const former = await newUserOfRole(system(), Role.administrator)
      const event_types = ['invites_changed', 'realm_bot', 'realm_export', 'realm_user', 'stream', 'realm']
      const queue = (await registerQueue(former, { event_types })).follow()
      const isOwnRole = ({ type, person }: ClientEvent) =>
        type === 'realm_user' && (person as { user_id?: number }).user_id === former.userId

      await setRole(former, Role.member)
      await queue.waitFor(isOwnRole, 'the role')
      const from = queue.events.length
      const email = `revoked-${former.userId}@example.com`
      await owner.call(endpoints.users.inviteByEmail, { invitee_emails: email, stream_ids: [] })
      await owner.call(createBot, {
        full_name: `Revoked ${former.userId}`,
        short_name: `revoked${former.userId}`,
      })
      const secret = await newChannel(ann, { isPrivate: true })
      const open = await newChannel(ann)
      const description = `after ${former.userId}`
      await owner.call(endpoints.realm.updateRealm, { description })
      const text = (event: ClientEvent) => JSON.stringify(event)
      await queue.waitFor((event) => text(event).includes(description), 'the event to everyone')
      await queue.waitFor((event) => text(event).includes(open.name), 'a public channel')

      const delivered = queue.events.slice(from)
      const ofAdministrators = ['invites_changed', 'realm_bot', 'realm_export']
      expect(delivered.filter(({ type }) => ofAdministrators.includes(type))).toEqual([])
      expect(JSON.stringify(delivered)).not.toContain(secret.name)
      await queue.stop()
    })

    test('has no scheduled message posted where only administrators may post', async () => {
      const former = await newUserOfRole(system(), Role.administrator)
      const channel = await newChannel(owner)
      await owner.call(updateChannel, { stream_id: channel.id, stream_post_policy: 2 })
      const { scheduled_message_id } = await former.call(createScheduledMessage, {
        type: 'channel',
        to: channel.id,
        topic: 'a topic',
        content: 'by an administrator',
        scheduled_delivery_timestamp: secondsFromNow(3),
      })

      await setRole(former, Role.member)

      await until(() => isFailed(system(), scheduled_message_id))
    })

    test('has bots with no more power than their owner', async () => {
      const former = await newUserOfRole(system(), Role.administrator)
      const bot = await newBotOf(former)
      await owner.call(endpoints.users.updateBot, { bot_user_id: bot.userId, role: Role.administrator })

      await setRole(former, Role.member)

      const { user } = await owner.call(endpoints.users.getUser, { user_id: bot.userId })
      expect(user.role).toBe(Role.member)
      expect(await bot.send(endpoints.realm.updateRealm, { description: 'by a bot' })).toMatchObject(
        refusal('UNAUTHORIZED_PRINCIPAL'),
      )
    })
  })

  test('a member who became a guest loses public channels without a subscription', async () => {
    const [former] = await newUsers(system(), 1)
    const channel = await newChannel(ann)
    const [message_id, url] = [await sendToChannel(ann, channel.name), await uploadTo(ann)]
    await sendToChannel(ann, channel.name, link(url))
    const watcher = await watch(former, { event_types: ['message', 'stream'], all_public_streams: true })
    expect((await former.fetch(url)).status).toBe(200)

    await setRole(former, Role.guest)
    const isGone = ({ type, op, streams }: ClientEvent) =>
      type === 'stream' &&
      op === 'delete' &&
      (streams as { stream_id: number }[]).some(({ stream_id }) => stream_id === channel.id)
    expect(allOf(await statusesOf(former, channel, message_id))).toEqual([400])
    expect((await former.fetch(url)).status).toBe(404)
    await watcher.queue.waitFor(isGone, 'the channel going')
    const [events = []] = await eventsOf(system(), [watcher], () =>
      sendToChannel(ann, channel.name, 'for members'),
    )
    expect(events.filter(({ type }) => type === 'message')).toEqual([])
    await stopWatching([watcher])
  })

  describe('a deactivated user', () => {
    test('has no scheduled message sent, not even after reactivation', async () => {
      const [eve] = await newUsers(system(), 1)
      const channel = await newChannel(ann, { others: [eve] })
      const content = `from the past of ${eve.userId}`
      const { scheduled_message_id } = await eve.call(createScheduledMessage, {
        type: 'channel',
        to: channel.id,
        topic: 'a topic',
        content,
        scheduled_delivery_timestamp: secondsFromNow(3),
      })
      await owner.call(deactivateUser, { user_id: eve.userId })
      await until(() => isFailed(system(), scheduled_message_id))

      await owner.call(reactivateUser, { user_id: eve.userId })

      expect(await textsOf(ann)).not.toContain(content)
    })
  })

  test('a deleted message disappears with its history, its receipts and its file', async () => {
    const channel = await newChannel(ann, { others: [ben] })
    const url = await uploadTo(ann)
    const message_id = await sendToChannel(ann, channel.name, link(url))
    await ann.call(editMessage, { message_id, content: `${link(url)} Again.` })

    await owner.call(deleteMessage, { message_id })

    for (const client of [ann, ben, owner]) {
      const answers = [
        await client.send(getMessage, { message_id }),
        await client.send(getMessageHistory, { message_id }),
        await client.send(getReadReceipts, { message_id }),
        await client.send(addReaction, { message_id, emoji_name: 'tada' }),
      ]
      for (const answer of answers) expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect((await client.fetch(url)).status).toBe(404)
    }
  })
}

/** Whether a scheduled message was tried, and not sent. */
async function isFailed({ system }: TestSystem, id: number): Promise<boolean> {
  const db = createPool(system.databaseUrls.messaging, 1, createLog('tests', 'silent'))
  try {
    const { rows } = await db.query<{ failed: boolean }>(
      'select failed from scheduled_messages where id = $1',
      [id],
    )
    return rows[0]?.failed === true
  } finally {
    await db.end()
  }
}
