import { endpoints, VisibilityPolicy } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusal } from '../support/answers.ts'
import { createChannel, newChannelName, newUsers } from '../support/users-and-channels.ts'

const { archiveChannel, deleteTopic, getMessage, sendMessage, unsubscribe, updateChannel } =
  endpoints.messaging
const { updateSubscriptionSettings, updateUserTopic } = endpoints.messaging
const { updateSettings } = endpoints.users
const TOPIC = 'a topic'
/** Values of `automatically_follow_topics_policy`. */
const FOLLOW = { ifSent: 2, ifStarted: 3, never: 4 }
type ChannelRef = { name: string; id: number }

/** What is known of a topic from the last message is stored with the next one only if it is still so. */
export const recalledTopicTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
  })
  beforeEach(() => ben.call(updateSettings, { automatically_follow_topics_policy: FOLLOW.never }))
  const send = (sender: ApiClient, to: string | number) =>
    sender.send(sendMessage, { type: 'channel', to: String(to), topic: TOPIC, content: 'hello' })
  /** A channel where ben has just written, naming it as he will. */
  const channelOfBen = async (by: 'id' | 'name', more: { readonly isPrivate?: boolean } = {}) => {
    const channel = await createChannel(ann, { others: [ben], ...more })
    for (let i = 0; i < 3; i++) expect(await send(ben, channel[by])).toMatchObject({ status: 200 })
    return channel
  }
  const rename = ({ id }: ChannelRef, name: string) =>
    system().owner.call(updateChannel, { stream_id: id, new_name: name })
  const setPolicy = ({ id }: ChannelRef, policy: VisibilityPolicy) =>
    ben.call(updateUserTopic, { stream_id: id, topic: TOPIC, visibility_policy: policy })

  describe('a message to a topic that its sender wrote to before', () => {
    test.each(['id', 'name'] as const)('is rejected once the channel is archived, by %s', async (by) => {
      const channel = await channelOfBen(by)
      await system().owner.call(archiveChannel, { stream_id: channel.id })

      expect(await send(ben, channel[by])).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
    })

    test('is rejected once its sender was removed from the private channel', async () => {
      const channel = await channelOfBen('id', { isPrivate: true })
      await system().owner.call(unsubscribe, { subscriptions: [channel.name], principals: [ben.userId] })

      expect(await send(ben, channel.id)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('is rejected once its sender may not post, and accepted once that is taken back', async () => {
      const channel = await channelOfBen('id')
      const allow = (stream_post_policy: 1 | 2) =>
        system().owner.call(updateChannel, { stream_id: channel.id, stream_post_policy })

      await allow(2)
      expect(await send(ben, channel.id)).toMatchObject(refusal('BAD_REQUEST'))
      await allow(1)
      expect(await send(ben, channel.id)).toMatchObject({ status: 200 })
    })

    test('has the new name of its channel', async () => {
      const channel = await channelOfBen('id')
      const name = newChannelName()
      await rename(channel, name)

      const { body } = await send(ben, channel.id)

      const { message } = await ann.call(getMessage, { message_id: Number(body['id']) })
      expect(message.display_recipient).toBe(name)
    })

    test('goes to the channel that has the name now', async () => {
      const before = await channelOfBen('name')
      const now = await channelOfBen('name')
      await rename(before, newChannelName())
      await rename(now, before.name)

      const { body } = await send(ben, before.name)

      const { message } = await ann.call(getMessage, { message_id: Number(body['id']) })
      expect(message).toMatchObject({ stream_id: now.id, display_recipient: before.name })
    })

    test('makes its sender follow the topic that was followed before', async () => {
      const channel = await createChannel(ann, { others: [ben] })
      await send(ann, channel.id)
      await setPolicy(channel, VisibilityPolicy.followed)
      await ben.call(updateSettings, { automatically_follow_topics_policy: FOLLOW.ifSent })
      for (let i = 0; i < 2; i++)
        expect((await send(ben, channel.id)).body).not.toHaveProperty('automatic_new_visibility_policy')

      await setPolicy(channel, VisibilityPolicy.none)

      expect((await send(ben, channel.id)).body).toMatchObject({
        automatic_new_visibility_policy: VisibilityPolicy.followed,
      })
    })

    test('unmutes the topic once its sender has muted the channel', async () => {
      const channel = await channelOfBen('id')
      const muted = { stream_id: channel.id, property: 'is_muted', value: true } as const
      await ben.call(updateSubscriptionSettings, { subscription_data: [muted] })

      expect((await send(ben, channel.id)).body).toMatchObject({
        automatic_new_visibility_policy: VisibilityPolicy.unmuted,
      })
    })

    test('starts the topic if nothing is left of it', async () => {
      const channel = await channelOfBen('id')
      await ben.call(updateSettings, { automatically_follow_topics_policy: FOLLOW.ifStarted })
      expect((await send(ben, channel.id)).body).not.toHaveProperty('automatic_new_visibility_policy')
      await system().owner.call(deleteTopic, { stream_id: channel.id, topic_name: TOPIC })

      expect((await send(ben, channel.id)).body).toMatchObject({
        automatic_new_visibility_policy: VisibilityPolicy.followed,
      })
    })
  })
}
