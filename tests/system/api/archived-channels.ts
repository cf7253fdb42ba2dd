import { endpoints, Role } from '@tms/contracts'
import type { ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUserOfRole, newUsers, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const {
  addReaction,
  archiveChannel,
  editMessage,
  getMessage,
  getMessages,
  getReadReceipts,
  listChannels,
  sendMessage,
} = endpoints.messaging
const { subscribe, unsubscribe, updateChannel } = endpoints.messaging
const { register } = endpoints.events
const CAPABLE = { notification_settings_null: true, archived_channels: true }
const LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams'] as const

interface Listed {
  readonly stream_id: number
  readonly name: string
  readonly is_archived: boolean
  readonly subscribers?: number[]
}

export const archivedChannelTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  let guest: ApiClient
  let watchers: Watcher[]
  beforeAll(async () => {
    owner = system().owner
    const [first, second, third] = await newUsers(system(), 3)
    ann = first as ApiClient
    ben = second as ApiClient
    cem = third as ApiClient
    guest = await newUserOfRole(system(), Role.guest)
    const event_types = ['stream', 'subscription', 'message']
    const capable = { event_types, include_subscribers: true, client_capabilities: CAPABLE }
    watchers = [
      ...(await Promise.all([ann, cem, guest].map((client) => watch(client, capable)))),
      ...(await Promise.all([ann, cem].map((client) => watch(client, { event_types })))),
    ]
  })
  afterAll(() => stopWatching(watchers))

  /** The events of Ann, of Cem and of the guest, whose clients show archived channels, and of Ann's and Cem's other clients. */
  const eventsDuring = async (act: () => Promise<unknown>) => {
    const lists = await eventsOf(system(), watchers, act)
    const [anns = [], cems = [], guests = [], ...others] = lists.map((events) =>
      events.filter(({ type }) => type !== 'message'),
    )
    return { ann: anns, cem: cems, guest: guests, others: others.flat() }
  }
  /** The lists of register that have the channel, and what they say of it. */
  const stateOf = async (client: ApiClient, stream_id: number, capable = true) => {
    const state = await client.call(register, {
      fetch_event_types: ['stream', 'subscription'],
      include_subscribers: true,
      client_capabilities: capable ? CAPABLE : { notification_settings_null: true },
    })
    return Object.fromEntries(
      LISTS.flatMap((list) => {
        const found = (state[list] as Listed[]).find((channel) => channel.stream_id === stream_id)
        return found ? [[list, found]] : []
      }),
    )
  }
  const archivedName = async (stream_id: number): Promise<string> => {
    const { streams } = await owner.call(listChannels, { include_all: true, exclude_archived: false })
    return streams.find((channel) => channel.stream_id === stream_id)?.name ?? ''
  }
  const of = ({ userId }: ApiClient) => ({ direct_members: [userId], direct_subgroups: [] })
  const update = (stream_id: number, changes: object): ClientEvent =>
    expect.objectContaining({ type: 'stream', op: 'update', stream_id, ...changes })

  describe('an archived channel', () => {
    test('stays with its subscribers for clients that show it, and is deleted for others', async () => {
      const { name, id } = await newChannel(ann, { others: [ben] })
      const events = await eventsDuring(() => owner.call(archiveChannel, { stream_id: id }))

      const archived = await archivedName(id)
      const updates = [
        update(id, { name, property: 'name', value: archived }),
        update(id, { name: archived, property: 'is_archived', value: true }),
      ]
      expect([events.ann, events.cem, events.guest]).toEqual([updates, updates, []])
      expect(events.others).toMatchObject(Array(2).fill({ type: 'stream', op: 'delete', stream_ids: [id] }))
      const shown = { name: archived, is_archived: true, invite_only: false }
      const withSubscribers = { ...shown, subscribers: [ann.userId, ben.userId] }
      expect(await stateOf(ann, id)).toMatchObject({ streams: shown, subscriptions: withSubscribers })
      expect(await stateOf(cem, id)).toMatchObject({ streams: shown, never_subscribed: withSubscribers })
      expect(await stateOf(guest, id)).toEqual({})
      for (const client of [ann, cem]) expect(await stateOf(client, id, false)).toEqual({})
    })

    test('is listed on request, to those who see it', async () => {
      const hidden = await newChannel(ann, { isPrivate: true })
      await owner.call(archiveChannel, { stream_id: hidden.id })
      const isListed = async (client: ApiClient, exclude_archived?: boolean) => {
        const { streams } = await client.call(listChannels, { include_all: true, exclude_archived })
        return streams.some(({ stream_id, is_archived }) => stream_id === hidden.id && is_archived)
      }

      expect([await isListed(ann, false), await isListed(owner, false)]).toEqual([true, true])
      expect([await isListed(ben, false), await isListed(ann), await isListed(ann, true)]).toEqual([
        false,
        false,
        false,
      ])
    })

    test('whose last subscriber leaves stays for administrators, also its own, only', async () => {
      const { id } = await newChannel(ann, { isPrivate: true })
      await owner.call(updateChannel, { stream_id: id, can_administer_channel_group: of(cem) })
      await owner.call(archiveChannel, { stream_id: id })
      await ann.call(unsubscribe, { subscriptions: [await archivedName(id)] })

      expect(await stateOf(owner, id)).toMatchObject({ never_subscribed: { is_archived: true } })
      expect(await stateOf(cem, id)).toMatchObject({ never_subscribed: { is_archived: true } })
      expect(await stateOf(ann, id)).toEqual({})
    })

    test('is made private by its administrator, and keeps its whole name', async () => {
      const { id, name } = await newChannel(ann, { others: [ben] })
      await ann.call(updateChannel, { stream_id: id, new_name: name.padEnd(60, '-') })
      await owner.call(archiveChannel, { stream_id: id })

      expect(await ben.send(updateChannel, { stream_id: id, is_private: true })).toMatchObject(
        refusal('UNAUTHORIZED_PRINCIPAL'),
      )
      expect(await ann.send(updateChannel, { stream_id: id, is_private: true })).toMatchObject(success())
      expect(await stateOf(ann, id)).toMatchObject({ subscriptions: { invite_only: true } })
      expect(await archivedName(id)).toMatch(new RegExp(`^[0-9a-f]{7}!DEACTIVATED:${name}-*$`))
      expect(await archivedName(id)).toHaveLength(80)
    })

    test('keeps its messages for those who could read them, who change nothing', async () => {
      const open = await newChannel(ann, { others: [ben] })
      const hidden = await newChannel(ann, { isPrivate: true, others: [ben] })
      const [inOpen, inHidden] = [await sendToChannel(ann, open.name), await sendToChannel(ann, hidden.name)]
      for (const { id } of [open, hidden]) await owner.call(archiveChannel, { stream_id: id })
      const read = (client: ApiClient, message_id: number) => client.send(getMessage, { message_id })

      for (const client of [ann, ben, cem]) expect(await read(client, inOpen)).toMatchObject(success())
      for (const client of [ann, ben]) expect(await read(client, inHidden)).toMatchObject(success())
      expect(await read(cem, inHidden)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await read(guest, inOpen)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.send(getReadReceipts, { message_id: inOpen })).toMatchObject(success())
      expect(await cem.send(getReadReceipts, { message_id: inHidden })).toMatchObject(refusal('BAD_REQUEST'))

      const reaction = { message_id: inOpen, emoji_name: 'octopus' }
      expect(await ann.send(addReaction, reaction)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.send(editMessage, { message_id: inOpen, content: 'x' })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      const message = { type: 'channel', to: open.id, topic: 'x', content: 'x' } as const
      expect(await ann.send(sendMessage, message)).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
    })

    test('is read by its ID or its name by those who could read it, also by a link to a message', async () => {
      const open = await newChannel(ann, { others: [ben] })
      const hidden = await newChannel(ann, { isPrivate: true, others: [ben] })
      const sent = [await sendToChannel(ann, open.name), await sendToChannel(ann, hidden.name)]
      const names: string[] = []
      for (const { id } of [open, hidden]) {
        await owner.call(archiveChannel, { stream_id: id })
        names.push(await archivedName(id))
      }
      const fetch = (client: ApiClient, operator: string, operand: string | number | undefined) =>
        client.send(getMessages, {
          ...{
            anchor: 'newest',
            num_before: 10,
            num_after: 0,
            narrow: [{ operator, operand: operand ?? 0 }],
          },
        })
      const found = (id: number | undefined) =>
        success({ messages: expect.arrayContaining([expect.objectContaining({ id })]) })

      for (const reference of [open.id, names[0]])
        for (const client of [ann, ben, cem])
          expect(await fetch(client, 'channel', reference)).toMatchObject(found(sent[0]))
      for (const reference of [hidden.id, names[1]]) {
        for (const client of [ann, ben])
          expect(await fetch(client, 'channel', reference)).toMatchObject(found(sent[1]))
        for (const client of [cem, guest])
          expect(await fetch(client, 'channel', reference)).toMatchObject(refusal('BAD_NARROW'))
      }
      expect(await fetch(ben, 'with', sent[1])).toMatchObject(found(sent[1]))
      expect(await fetch(guest, 'channel', open.id)).toMatchObject(refusal('BAD_NARROW'))
    })

    test('is joined and left by its whole name, however long', async () => {
      const { id, name } = await newChannel(ann)
      await ann.call(updateChannel, { stream_id: id, new_name: name.padEnd(60, '+') })
      await owner.call(archiveChannel, { stream_id: id })
      const whole = await archivedName(id)
      expect(whole).toHaveLength(80)
      const subscriptions = [{ name: whole }]

      expect(await cem.send(subscribe, { subscriptions })).toMatchObject(
        success({ subscribed: { [cem.userId]: [whole] } }),
      )
      expect(await cem.send(unsubscribe, { subscriptions: [whole] })).toMatchObject(
        success({ removed: [whole] }),
      )
      // Nobody takes such a name for another channel.
      const other = { subscriptions: [{ name: `0123456!DEACTIVATED:${name}` }] }
      expect(await cem.send(subscribe, other)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('is joined and left by the name that it has since, which only clients that show it get', async () => {
      const { id } = await newChannel(ann)
      await owner.call(archiveChannel, { stream_id: id })
      const subscriptions = [{ name: await archivedName(id) }]
      const names = subscriptions.map(({ name }) => name)

      const joined = await eventsDuring(async () =>
        expect(await cem.send(subscribe, { subscriptions })).toMatchObject(
          success({ subscribed: { [cem.userId]: names } }),
        ),
      )
      const peer = { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [cem.userId] }
      expect(joined.ann).toMatchObject([peer])
      const added = { stream_id: id, is_archived: true, subscribers: [ann.userId, cem.userId] }
      expect(joined.cem).toMatchObject([{ type: 'subscription', op: 'add', subscriptions: [added] }])
      expect(joined.others).toEqual([])
      expect(await stateOf(cem, id)).toMatchObject({ subscriptions: added })
      expect(await stateOf(cem, id, false)).toEqual({})

      const left = await eventsDuring(async () =>
        expect(await cem.send(unsubscribe, { subscriptions: names })).toMatchObject(
          success({ removed: names }),
        ),
      )
      expect(left.ann).toMatchObject([{ ...peer, op: 'peer_remove' }])
      expect(left.cem).toMatchObject([{ type: 'subscription', op: 'remove' }])
      expect(left.others).toEqual([])
      expect(await stateOf(cem, id)).toMatchObject({ unsubscribed: { subscribers: [ann.userId] } })
    })

    test('becomes private and public again, but does not change otherwise', async () => {
      const { id } = await newChannel(owner, { others: [ann] })
      await owner.call(archiveChannel, { stream_id: id })
      const makePrivate = (is_private: boolean) =>
        eventsDuring(() => owner.call(updateChannel, { stream_id: id, is_private }))

      const closed = await makePrivate(true)
      expect(closed.ann).toEqual([update(id, { property: 'invite_only', value: true })])
      expect(closed.cem).toMatchObject([{ type: 'stream', op: 'delete', stream_ids: [id] }])
      expect(closed.others).toEqual([])
      expect(await stateOf(cem, id)).toEqual({})
      const opened = await makePrivate(false)
      expect(opened.ann).toEqual([update(id, { property: 'invite_only', value: false })])
      expect(opened.cem).toMatchObject([
        { type: 'stream', op: 'create', streams: [{ stream_id: id, is_archived: true }] },
        { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [owner.userId, ann.userId] },
      ])
      expect(opened.others).toEqual([])

      for (const change of [{ new_name: 'x' }, { description: 'x' }, { is_default_stream: true }, {}]) {
        expect(await owner.send(updateChannel, { stream_id: id, ...change })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
      }
    })
  })
}
