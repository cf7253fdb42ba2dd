import { endpoints, VisibilityPolicy } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { holdChannelLock, holdFlagsLock, holdMessageLock } from '../support/row-locks.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { addReaction, archiveChannel, deleteMessage, editMessage, sendMessage } = endpoints.messaging
const { muteUser } = endpoints.users
const { getMessage, subscribe, unsubscribe, updateChannel, updateMessageFlags, updateUserTopic } =
  endpoints.messaging
/** A send that has waited for this long has given up its first turn, after 100 ms, and keeps the one that it has now. */
const PATIENT_MS = 300
type ChannelRef = { name: string; id: number }

/** A request has passed its checks and waits for a lock, when a change affects those checks. */
export const lateChangeTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  beforeAll(async () => {
    ;[ann, ben, cem] = await newUsers(system(), 3)
  })
  /** Sends both at the same time; the change commits before the act. It has kept its turn once it has waited for `waitedMs`. */
  const changeBefore = async <T>(
    channel: ChannelRef,
    change: () => Promise<unknown>,
    act: () => Promise<T>,
    waitedMs = 0,
  ): Promise<T> => {
    const lock = await holdChannelLock(system(), channel.id)
    const changing = change()
    await lock.waitForWaiters(1, waitedMs)
    const acting = act()
    await lock.waitForWaiters(2)
    await lock.release()
    await changing
    return acting
  }
  const send = (sender: ApiClient, { name }: ChannelRef, content = 'hello') =>
    sender.send(sendMessage, { type: 'channel', to: name, topic: 'a topic', content })

  describe('a message that is sent while its channel changes', () => {
    let listener: Watcher
    beforeAll(async () => {
      listener = await watch(cem, { all_public_streams: true })
    })
    afterAll(() => stopWatching([listener]))

    test('is rejected when the channel is archived', async () => {
      const channel = await newChannel(ann)
      const archive = () => system().owner.call(archiveChannel, { stream_id: channel.id })

      const answer = await changeBefore(channel, archive, () => send(ann, channel))

      expect(answer).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
    })

    test.each([['the first of its topic'], ['a later one'], ['a poll']])(
      'is rejected from a user who may no longer post: %s',
      async (which) => {
        const channel = await newChannel(ann)
        // Only a later one takes a single statement: the first one makes its sender follow the topic.
        if (which === 'a later one') await send(ann, channel)
        const text = which === 'a poll' ? '/poll tea?\ngreen\nblack' : 'hello'
        const reserve = () =>
          system().owner.call(updateChannel, { stream_id: channel.id, stream_post_policy: 2 })

        const answer = await changeBefore(channel, reserve, () => send(ann, channel, text))

        expect(answer).toMatchObject(
          refusal('BAD_REQUEST', { msg: 'You do not have permission to post in this channel.' }),
        )
      },
    )

    test.each([['for the first time'], ['again']])(
      'is read for a user who muted its sender and joins %s just before it',
      async (which) => {
        const [dan] = await newUsers(system(), 1)
        const channel = await newChannel(ann)
        // The first one follows the topic, under a separate lock.
        await send(ann, channel)
        const subscription = { subscriptions: [{ name: channel.name }] }
        if (which === 'again') {
          await dan.call(subscribe, subscription)
          await dan.call(unsubscribe, { subscriptions: [channel.name] })
        }
        await dan.call(muteUser, { muted_user_id: ann.userId })

        const answer = await changeBefore(
          channel,
          () => dan.call(subscribe, subscription),
          () => send(ann, channel),
        )

        const message_id = Number(answer.body['id'])
        expect((await dan.call(getMessage, { message_id })).message.flags).toContain('read')
        expect((await registerQueue(dan)).state).toMatchObject({ unread_msgs: { count: 0 } })
      },
    )

    test('is rejected from a user who was removed from a private channel', async () => {
      const channel = await newChannel(ann, { others: [ben], isPrivate: true })
      const removeUser = () =>
        system().owner.call(unsubscribe, { subscriptions: [channel.name], principals: [ben.userId] })

      const answer = await changeBefore(channel, removeUser, () => send(ben, channel))

      expect(answer).toMatchObject(
        refusal('BAD_REQUEST', { msg: `Not authorized to send to channel '${channel.name}'` }),
      )
    })

    test('is delivered only to subscribers when the channel becomes private', async () => {
      const channel = await newChannel(ann)
      const close = () => system().owner.call(updateChannel, { stream_id: channel.id, is_private: true })

      const [events = []] = await eventsOf(system(), [listener], async () => {
        const answer = await changeBefore(channel, close, () => send(ann, channel, 'for us'))
        expect(answer).toMatchObject(success())
      })

      expect(events.filter(({ type }) => type === 'message')).toEqual([])
    })
  })

  describe('an edit while its channels change', () => {
    const close = ({ id }: ChannelRef) =>
      system().owner.call(updateChannel, { stream_id: id, is_private: true })

    test('is rejected if the user may no longer move messages there', async () => {
      const [kitchen, garden] = [await newChannel(ann), await newChannel(ben)]
      const message_id = await sendToChannel(ann, kitchen.name)
      const move = { message_id, stream_id: garden.id }

      const answer = await changeBefore(
        garden,
        () => close(garden),
        () => ann.send(editMessage, move),
      )

      expect(answer).toMatchObject(refusal('BAD_REQUEST', { msg: 'Invalid channel ID' }))
    })

    test('of a text is delivered only to users who received it when its history becomes protected', async () => {
      const kitchen = await newChannel(ann)
      const message_id = await sendToChannel(ann, kitchen.name)
      await ben.call(subscribe, { subscriptions: [{ name: kitchen.name }] })
      const watchers = [await watch(ann), await watch(ben)]

      const events = await eventsOf(system(), watchers, async () => {
        const edit = () => ann.send(editMessage, { message_id, content: 'for us' })
        expect(await changeBefore(kitchen, () => close(kitchen), edit)).toMatchObject(success())
      })

      const updates = events.map((own) => own.filter(({ type }) => type === 'update_message'))
      expect(updates).toEqual([[expect.objectContaining({ content: 'for us' })], []])
      await stopWatching(watchers)
    })

    test('that moves a message removes it for a user who can no longer access its new channel', async () => {
      const [kitchen, garden] = [await newChannel(ann, { others: [ben] }), await newChannel(ann)]
      const message_id = await sendToChannel(ann, kitchen.name)
      const watcher = await watch(ben)

      const [events = []] = await eventsOf(system(), [watcher], async () => {
        const move = () => ann.send(editMessage, { message_id, stream_id: garden.id })
        expect(await changeBefore(garden, () => close(garden), move)).toMatchObject(success())
      })

      const eventTypes = events.map(({ type }) => type)
      expect(eventTypes).toContain('delete_message')
      expect(eventTypes).not.toContain('update_message')
      await stopWatching([watcher])
    })

    test('that moves the only message of a topic keeps the topic if another user posts there meanwhile', async () => {
      const kitchen = await newChannel(ann, { others: [ben] })
      const message_id = await sendToChannel(ann, kitchen.name, 'Who cooks?', 'soup')
      const muted = { stream_id: kitchen.id, topic: 'soup', visibility_policy: VisibilityPolicy.muted }
      await ben.call(updateUserTopic, muted)
      const watcher = await watch(ben)

      const [events = []] = await eventsOf(system(), [watcher], () =>
        changeBefore(
          kitchen,
          () => sendToChannel(ann, kitchen.name, 'Me.', 'soup'),
          () => ann.call(editMessage, { message_id, topic: 'stew' }),
          PATIENT_MS,
        ),
      )

      expect(events.map(({ type }) => type)).toEqual(['message', 'update_message', 'message'])
      expect(events.at(-1)).toMatchObject({
        message: { content: expect.stringContaining('A message was moved') },
      })
      await stopWatching([watcher])
    })
  })

  describe('a star on a message that changes concurrently', () => {
    const starsOf = async (client: ApiClient) =>
      (
        await client.call(endpoints.events.register, {
          fetch_event_types: ['starred_messages'],
        })
      ).starred_messages

    /** Lets Ben star a message without flags of his; the message is deleted after his check, and before the star is stored. */
    const starWhile = async (message_id: number, go: () => Promise<unknown>) => {
      const lock = await holdFlagsLock(system(), ben.userId, message_id)
      const starring = ben.call(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'starred' })
      await lock.waitForWaiters(1)
      const going = go()
      await Promise.race([going, lock.waitForWaiters(2)])
      await lock.release()
      await Promise.all([starring, going])
    }

    test('is deleted with the message', async () => {
      const kitchen = await newChannel(ann, { others: [ben] })
      const message_id = await sendToChannel(ann, kitchen.name)

      await starWhile(message_id, () => system().owner.call(deleteMessage, { message_id }))

      expect(await starsOf(ben)).not.toContain(message_id)
    })

    test('is deleted for a user who cannot see the message in its new channel', async () => {
      const kitchen = await newChannel(ann, { others: [ben] })
      const cellar = await newChannel(ann, { isPrivate: true })
      const message_id = await sendToChannel(ann, kitchen.name)

      await starWhile(message_id, () => ann.call(editMessage, { message_id, stream_id: cellar.id }))

      expect(await starsOf(ben)).not.toContain(message_id)
    })
  })

  describe('a reaction', () => {
    test('is delivered to a user who leaves the channel meanwhile', async () => {
      const channel = await newChannel(ann, { others: [ben, cem] })
      const { id } = await ann.call(sendMessage, {
        type: 'channel',
        to: channel.name,
        topic: 'a topic',
        content: 'hello',
      })
      const leaver = await watch(cem, { event_types: ['message', 'reaction', 'subscription'] })
      const reactWhileLeaving = async () => {
        const lock = await holdMessageLock(system(), id)
        const reacting = ben.call(addReaction, { message_id: id, emoji_name: 'tada' })
        await lock.waitForWaiters(1)
        const leaving = cem.call(unsubscribe, { subscriptions: [channel.name] })
        await Promise.race([leaving, lock.waitForWaiters(2)])
        await lock.release()
        await Promise.all([reacting, leaving])
      }

      const [eventTypes] = await eventsOf(system(), [leaver], reactWhileLeaving)

      expect(eventTypes).toMatchObject([
        { type: 'reaction', op: 'add', message_id: id },
        { type: 'subscription', op: 'remove' },
      ])
      await stopWatching([leaver])
    })
  })
}
