import { type EndpointInput, endpoints, type ScheduledMessageRecord } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import { type ApiClient, type ClientEvent, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { listOwn, uploadTo } from '../support/files.ts'
import { newChannel, newUsers, secondsFromNow } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const {
  createScheduledMessage,
  deleteScheduledMessage,
  getMessage,
  listScheduledMessages,
  subscribe,
  unsubscribe,
  updateScheduledMessage,
} = endpoints.messaging
type Fields = Record<string, string>
type Message = Omit<EndpointInput<typeof createScheduledMessage>, 'scheduled_delivery_timestamp'>

const DAY_SECONDS = 86_400
const UNKNOWN = 999_999_999
const isScheduling = ({ type }: ClientEvent): boolean => type === 'scheduled_messages'
const isFailure = (event: ClientEvent, id: number): boolean => {
  const message = event['scheduled_message'] as ScheduledMessageRecord | undefined
  return message?.scheduled_message_id === id && message.failed
}

export const scheduledMessageTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let channel: { name: string; id: number }
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    channel = await newChannel(ann, { others: [ben] })
  })
  const tomorrow = () => secondsFromNow(DAY_SECONDS)
  const toChannel = (): Message => ({ type: 'channel', to: channel.id, topic: 'lunch', content: 'at *noon*' })
  const toBen = (): Message => ({ type: 'direct', to: [ben.userId], content: 'psst' })
  const schedule = async (message: Message, scheduled_delivery_timestamp = tomorrow(), client = ann) => {
    const created = await client.call(createScheduledMessage, { ...message, scheduled_delivery_timestamp })
    return created.scheduled_message_id
  }
  const listOf = async (client: ApiClient) =>
    (await client.call(listScheduledMessages, {})).scheduled_messages
  const find = async (client: ApiClient, id: number): Promise<ScheduledMessageRecord | undefined> =>
    (await listOf(client)).find(({ scheduled_message_id }) => scheduled_message_id === id)

  describe('POST /scheduled_messages', () => {
    const create = (fields: Fields, client = ann) =>
      client.request('POST', '/scheduled_messages', Object.entries(fields))
    const valid = (): Fields => ({
      type: 'channel',
      to: String(channel.id),
      topic: 'lunch',
      content: 'x',
      scheduled_delivery_timestamp: String(tomorrow()),
    })

    test('stores the rendered message for its sender until its time', async () => {
      const time = tomorrow()
      const id = await schedule(toChannel(), time)

      expect(await find(ann, id)).toEqual({
        scheduled_message_id: id,
        type: 'stream',
        to: channel.id,
        topic: 'lunch',
        content: 'at *noon*',
        rendered_content: '<p>at <em>noon</em></p>',
        scheduled_delivery_timestamp: time,
        failed: false,
      })
      expect(await find(ben, id)).toBeUndefined()
    })

    test.each<[string, Fields, object]>([
      ['channel', {}, { type: 'stream' }],
      ['stream', { type: 'stream' }, { type: 'stream' }],
      ['direct', { type: 'direct', to: '[SELF,BEN]' }, { type: 'private', to: ['BEN'] }],
      ['private', { type: 'private', to: '[BEN,BEN]' }, { type: 'private', to: ['BEN'] }],
      ['direct to oneself', { type: 'direct', to: '[SELF]' }, { type: 'private', to: ['SELF'] }],
    ])('accepts type %s', async (_, fields, expected) => {
      const named = (text: string) =>
        text.replaceAll('"BEN"', `${ben.userId}`).replaceAll('"SELF"', `${ann.userId}`)
      const to = fields['to']?.replaceAll('BEN', String(ben.userId)).replaceAll('SELF', String(ann.userId))
      const { body } = await create({ ...valid(), ...fields, ...(to === undefined ? {} : { to }) })

      const found = await find(ann, body['scheduled_message_id'] as number)
      expect(found).toMatchObject(JSON.parse(named(JSON.stringify(expected))) as object)
      expect('topic' in (found ?? {})).toBe(found?.type === 'stream')
    })

    test.each<[string, Fields]>([
      ['a time that has passed', { scheduled_delivery_timestamp: '1' }],
      ['a time beyond all calendars', { scheduled_delivery_timestamp: '9007199254740991' }],
      ['a fraction of a second', { scheduled_delivery_timestamp: '9999999999.5' }],
      ['a channel by name', { to: 'general' }],
      ['two channels', { to: '[1,2]' }],
      ['users by e-mail', { type: 'direct', to: '["a@example.com"]' }],
      ['one user without a list', { type: 'direct', to: '1' }],
      ['nobody', { type: 'direct', to: '[]' }],
      ['an unknown user', { type: 'direct', to: `[${UNKNOWN}]` }],
      ['no text', { content: ' ' }],
      ['an unknown type', { type: 'letter' }],
    ])('rejects %s', async (_, fields) => {
      expect(await create({ ...valid(), ...fields })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('names the channel that does not exist', async () => {
      const answer = await create({ ...valid(), to: String(UNKNOWN) })

      expect(answer).toMatchObject(refusal('STREAM_DOES_NOT_EXIST', { stream_id: UNKNOWN }))
    })

    test('rejects a message that could not be sent now', async () => {
      const { id } = await newChannel(ann, { isPrivate: true })

      expect(await create({ ...valid(), to: String(id) }, ben)).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  test('limits scheduled messages to a thousand under concurrent requests', async () => {
    const [user] = await newUsers(system(), 1)
    const first = await schedule(toBen(), tomorrow(), user)
    const db = createPool(system().system.databaseUrls.messaging, 1, createLog('test', 'silent'))
    await db.query(
      `insert into scheduled_messages (realm_id, sender_id, topic, user_ids, content, rendered_content, read_by_sender,
              client, deliver_at, attempt_at)
       select realm_id, sender_id, topic, user_ids, content, rendered_content, read_by_sender, client, deliver_at,
              attempt_at
         from scheduled_messages, generate_series(1, 998)
        where id = $1`,
      [first],
    )
    await db.end()

    const add = () =>
      user.send(createScheduledMessage, { ...toBen(), scheduled_delivery_timestamp: tomorrow() })
    const answers = await Promise.all(Array.from({ length: 20 }, add))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await add()).toMatchObject(
      refusal('BAD_REQUEST', { msg: 'You can have at most 1000 scheduled messages' }),
    )
    expect(await listOf(user)).toHaveLength(1_000)
    await user.call(deleteScheduledMessage, { scheduled_message_id: first })
    expect(await add()).toMatchObject(success())
  })

  test('GET /scheduled_messages lists by time', async () => {
    const [user] = await newUsers(system(), 1)
    const late = await schedule(toBen(), secondsFromNow(3 * DAY_SECONDS), user)
    const early = await schedule(toBen(), secondsFromNow(DAY_SECONDS), user)

    expect((await listOf(user)).map(({ scheduled_message_id }) => scheduled_message_id)).toEqual([
      early,
      late,
    ])
    const { state } = await registerQueue(user, { fetch_event_types: ['scheduled_messages'] })
    expect(state['scheduled_messages']).toEqual(await listOf(user))
  })

  describe('PATCH and DELETE /scheduled_messages/{scheduled_message_id}', () => {
    const patch = (id: number, fields: Fields, client = ann) =>
      client.request('PATCH', `/scheduled_messages/${id}`, Object.entries(fields))
    const remove = (id: number, client = ann) => client.request('DELETE', `/scheduled_messages/${id}`)

    test('change one part or all of it', async () => {
      const time = secondsFromNow(2 * DAY_SECONDS)
      const id = await schedule(toChannel())
      const before = await find(ann, id)

      expect(await patch(id, { content: '**y**' })).toMatchObject(success())
      const edited = { ...before, content: '**y**', rendered_content: '<p><strong>y</strong></p>' }
      expect(await find(ann, id)).toEqual(edited)
      await patch(id, { topic: 'tea', scheduled_delivery_timestamp: String(time) })
      expect(await find(ann, id)).toEqual({ ...edited, topic: 'tea', scheduled_delivery_timestamp: time })
      await patch(id, { type: 'direct', to: `[${ben.userId}]` })
      const { topic: _, ...direct } = edited
      const moved = { ...direct, type: 'private', to: [ben.userId], scheduled_delivery_timestamp: time }
      expect(await find(ann, id)).toEqual(moved)
      expect(await remove(id)).toMatchObject(success())
      expect(await find(ann, id)).toBeUndefined()
    })

    test.each<[string, Fields]>([
      ['nothing', {}],
      ['a type without recipients', { type: 'direct' }],
      ['a channel type without a topic', { type: 'channel', to: '1' }],
      ['users for a channel message', { to: '[1,2]' }],
      ['an empty text', { content: '' }],
      ['a time that has passed', { scheduled_delivery_timestamp: '1' }],
    ])('reject %s', async (_, fields) => {
      const id = await schedule(toChannel())
      const before = await find(ann, id)

      expect(await patch(id, fields)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await find(ann, id)).toEqual(before)
    })

    test('reject an unknown channel', async () => {
      const answer = await patch(await schedule(toChannel()), { to: String(UNKNOWN) })

      expect(answer).toMatchObject(refusal('STREAM_DOES_NOT_EXIST', { stream_id: UNKNOWN }))
    })

    test('find only pending messages of the caller', async () => {
      const id = await schedule(toBen())
      const notFound = refusal('BAD_REQUEST', {}, 404)

      for (const client of [ben, system().owner]) {
        expect(await patch(id, { content: 'y' }, client)).toMatchObject(notFound)
        expect(await remove(id, client)).toMatchObject(notFound)
      }
      expect(await remove(id)).toMatchObject(success())
      expect(await remove(id)).toMatchObject(notFound)
      expect(await patch(id, { content: 'y' })).toMatchObject(notFound)
      expect(await remove(Number.MAX_SAFE_INTEGER)).toMatchObject(notFound)
    })

    test('that run at once both apply to the message', async () => {
      const id = await schedule(toChannel())

      await Promise.all([patch(id, { content: 'both' }), patch(id, { topic: 'both' })])

      expect(await find(ann, id)).toMatchObject({ content: 'both', topic: 'both' })
    })
  })

  describe('scheduled_messages events', () => {
    let watchers: Watcher[]
    beforeAll(async () => {
      watchers = [await watch(ann), await watch(ben)]
    })
    afterAll(() => stopWatching(watchers))

    test('report every change to the sender, and to nobody else', async () => {
      let id = 0
      const [anns = [], bens] = await eventsOf(system(), watchers, async () => {
        id = await schedule(toChannel())
        await ann.call(updateScheduledMessage, { scheduled_message_id: id, content: 'y' })
        await ann.call(deleteScheduledMessage, { scheduled_message_id: id })
      })

      const record = { scheduled_message_id: id, type: 'stream', to: channel.id, failed: false }
      expect(anns).toEqual([
        {
          id: expect.any(Number),
          type: 'scheduled_messages',
          op: 'add',
          scheduled_messages: [expect.objectContaining({ ...record, content: 'at *noon*' })],
        },
        {
          id: expect.any(Number),
          type: 'scheduled_messages',
          op: 'update',
          scheduled_message: expect.objectContaining({ ...record, content: 'y' }),
        },
        { id: expect.any(Number), type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
      ])
      expect(bens).toEqual([])
    })
  })

  describe('a scheduled message', () => {
    let watcher: Watcher
    beforeAll(async () => {
      watcher = await watch(ann)
    })
    afterAll(() => stopWatching([watcher]))
    /** The sender's events when a message was sent or failed. */
    const waitUntilSettled = (id: number) =>
      watcher.queue.waitFor(
        (event) => isScheduling(event) && (event['scheduled_message_id'] === id || isFailure(event, id)),
        `the end of scheduled message ${id}`,
      )

    /** The sender's event just before. */
    const eventBefore = (event: ClientEvent) => {
      const before = watcher.queue.events[watcher.queue.events.indexOf(event) - 1] as ClientEvent
      return { before, message: before['message'] as { id: number; timestamp: number; content: string } }
    }

    test.each([
      ['to a channel', () => toChannel()],
      ['to users', () => toBen()],
    ])('%s is sent within a second of its time, and is then no longer scheduled', async (_, message) => {
      const time = secondsFromNow(2)
      const id = await schedule(message(), time)
      const removed = await waitUntilSettled(id)

      const { before, message: sent } = eventBefore(removed)
      expect(removed).toMatchObject({ op: 'remove', scheduled_message_id: id })
      expect(before).toMatchObject({ type: 'message', flags: [], message: { sender_id: ann.userId } })
      expect([time, time + 1]).toContain(sent.timestamp)
      expect((await ben.call(getMessage, { message_id: sent.id })).raw_content).toBe(message().content)
      expect(await find(ann, id)).toBeUndefined()
    })

    test('is read by its sender if requested', async () => {
      const { scheduled_message_id } = await ann.call(createScheduledMessage, {
        ...toBen(),
        scheduled_delivery_timestamp: secondsFromNow(2),
        read_by_sender: true,
      })
      const removed = await waitUntilSettled(scheduled_message_id)

      expect(eventBefore(removed).before).toMatchObject({ type: 'message', flags: ['read'] })
    })

    test('that may no longer be sent fails with a notice, and is sent after a new time is set', async () => {
      const { id: to, name } = await newChannel(system().owner, { others: [ann], isPrivate: true })
      const id = await schedule({ ...toChannel(), to }, secondsFromNow(2))
      await ann.call(unsubscribe, { subscriptions: [name] })
      const failed = await waitUntilSettled(id)

      expect(failed).toMatchObject({
        op: 'update',
        scheduled_message: { scheduled_message_id: id, failed: true },
      })
      const { before, message: notice } = eventBefore(failed)
      expect(before).toMatchObject({ type: 'message', message: { type: 'private' } })
      expect(notice.content).toContain('Not authorized to send to channel')
      expect(await find(ann, id)).toMatchObject({ failed: true })

      const again = { scheduled_message_id: id }
      expect(await ann.send(updateScheduledMessage, { ...again, content: 'y' })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      await system().owner.call(subscribe, { subscriptions: [{ name }], principals: [ann.userId] })
      await ann.call(updateScheduledMessage, { ...again, scheduled_delivery_timestamp: secondsFromNow(2) })
      expect(await find(ann, id)).toMatchObject({ failed: false })
      await watcher.queue.waitFor(({ scheduled_message_id }) => scheduled_message_id === id)
    })

    test('keeps the files that it links, and passes them to the message', async () => {
      const url = await uploadTo(ann, { content: 'x', name: 'menu.txt' })
      const content = `[menu](${url})`
      const id = await schedule({ ...toBen(), content }, secondsFromNow(2))
      expect((await ben.fetch(url)).status).toBe(404)
      const { message: sent } = eventBefore(await waitUntilSettled(id))

      expect((await ben.fetch(url)).status).toBe(200)
      const file = (await listOwn(ann)).attachments.find(({ path_id }) => url.endsWith(path_id))
      expect(file?.messages).toMatchObject([{ id: sent.id }])
    })
  })
}
