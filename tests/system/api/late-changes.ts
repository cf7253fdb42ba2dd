import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { refusal, success } from '../support/answers.ts'
import { holdPlace } from '../support/hold-place.ts'
import { newChannel, newUsers } from '../support/people.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { archiveChannel, sendMessage, unsubscribe, updateChannel } = endpoints.messaging
type Place = { name: string; id: number }

/** What is asked for has passed its checks and waits for a lock, when something else changes what was checked. */
export const lateChangeTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  beforeAll(async () => {
    ;[ann, ben, cem] = (await newUsers(system(), 3)) as [ApiClient, ApiClient, ApiClient]
  })
  /** Asks for both at the same time; the change holds before the act. */
  const changeBefore = async <T>(
    place: Place,
    change: () => Promise<unknown>,
    act: () => Promise<T>,
  ): Promise<T> => {
    const held = await holdPlace(system(), place.id)
    const changing = change()
    await held.untilAwaited(1)
    const acting = act()
    await held.untilAwaited(2)
    await held.release()
    await changing
    return acting
  }
  const send = (sender: ApiClient, { name }: Place, content = 'hello') =>
    sender.send(sendMessage, { type: 'channel', to: name, topic: 'a topic', content })

  describe('a message that is sent while its channel changes', () => {
    let listener: Watcher
    beforeAll(async () => {
      listener = await watch(cem, { all_public_streams: true })
    })
    afterAll(() => stopWatching([listener]))

    test('is refused when the channel is archived', async () => {
      const channel = await newChannel(ann)
      const archive = () => system().owner.call(archiveChannel, { stream_id: channel.id })

      const answer = await changeBefore(channel, archive, () => send(ann, channel))

      expect(answer).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
    })

    test.each([['hello'], ['/poll tea?\ngreen\nblack']])(
      'is refused to who may no longer post: %j',
      async (text) => {
        const channel = await newChannel(ann)
        const reserve = () =>
          system().owner.call(updateChannel, { stream_id: channel.id, stream_post_policy: 2 })

        const answer = await changeBefore(channel, reserve, () => send(ann, channel, text))

        expect(answer).toMatchObject(
          refusal('BAD_REQUEST', { msg: 'You do not have permission to post in this channel.' }),
        )
      },
    )

    test('is refused to who was taken out of a private channel', async () => {
      const channel = await newChannel(ann, { others: [ben], isPrivate: true })
      const takeOut = () =>
        system().owner.call(unsubscribe, { subscriptions: [channel.name], principals: [ben.userId] })

      const answer = await changeBefore(channel, takeOut, () => send(ben, channel))

      expect(answer).toMatchObject(
        refusal('BAD_REQUEST', { msg: `Not authorized to send to channel '${channel.name}'` }),
      )
    })

    test('is told to subscribers alone when the channel becomes private', async () => {
      const channel = await newChannel(ann)
      const close = () => system().owner.call(updateChannel, { stream_id: channel.id, is_private: true })

      const [events = []] = await eventsOf(system(), [listener], async () => {
        const answer = await changeBefore(channel, close, () => send(ann, channel, 'for us'))
        expect(answer).toMatchObject(success())
      })

      expect(events.filter(({ type }) => type === 'message')).toEqual([])
    })
  })
}
