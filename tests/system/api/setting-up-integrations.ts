import { endpoints, limits, Role } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newChannelName, newUserOfRole, newUsers } from '../support/users-and-channels.ts'

const { createIntegration, getMessages, listSubscribers, listWebhookDeliveries, unsubscribe } =
  endpoints.messaging

let names = 0
const newName = () => `Set-up alerts ${++names}`
const ALERT = JSON.stringify({
  version: '4',
  alerts: [
    {
      ...{ status: 'firing', annotations: {}, generatorURL: '' },
      labels: { alertname: 'DiskFull', instance: 'db1' },
    },
  ],
})

export const settingUpIntegrationsTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
  })

  /** Sends to an address that names the organization's host. */
  const post = async (url: string, body: string) => {
    const { pathname, search } = new URL(url)
    return system().anonymous.fetch(pathname + search, { method: 'POST', body })
  }
  const messagesIn = async (channel: { name: string }) => {
    const answer = await ann.call(getMessages, {
      ...{ anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false },
      narrow: [{ operator: 'channel', operand: channel.name }],
    })
    return answer.messages
  }

  describe('setting up an integration', () => {
    test('makes a bot, and an address at which a program posts at once', async () => {
      const channel = await newChannel(ann)
      const bot_name = newName()

      const made = await ann.call(createIntegration, {
        ...{ integration: 'alertmanager', stream: channel.name, bot_name },
      })

      expect(made.setup).toContain(`- url: "${made.url}"`)
      expect((await post(made.url, ALERT)).status).toBe(200)
      expect((await messagesIn(channel)).at(-1)).toMatchObject({
        ...{ sender_id: made.user_id, sender_full_name: bot_name },
        ...{ subject: 'db1', content: ':alert: **FIRING** DiskFull' },
      })
      const { deliveries } = await ann.call(listWebhookDeliveries, { bot_user_id: made.user_id })
      expect(deliveries).toMatchObject([{ outcome: 'posted' }])
      const { state } = await registerQueue(ann, { fetch_event_types: ['realm_bot'] })
      expect(state['realm_bots']).toContainEqual(
        expect.objectContaining({
          ...{ user_id: made.user_id, bot_type: 2, owner_id: ann.userId },
          services: [{ service_name: 'alertmanager', config_data: { integration_id: 'alertmanager' } }],
        }),
      )
    })

    test('gives the address a topic, and a channel that may be renamed', async () => {
      const channel = await newChannel(ann)
      const { url } = await ann.call(createIntegration, {
        ...{ integration: 'json', stream: String(channel.id), topic: 'disks & more', bot_name: newName() },
      })
      await system().owner.call(endpoints.messaging.updateChannel, {
        ...{ stream_id: channel.id, new_name: newChannelName() },
      })

      await post(url, '{"a":1}')

      const { stream } = await ann.call(endpoints.messaging.getChannel, { stream_id: channel.id })
      expect((await messagesIn(stream)).at(-1)).toMatchObject({ subject: 'disks & more' })
    })

    test('without a channel makes a bot that writes to its owner', async () => {
      const { url, user_id } = await ann.call(createIntegration, {
        ...{ integration: 'json', bot_name: newName() },
      })

      await post(url, '{"a":1}')

      const { deliveries } = await ann.call(listWebhookDeliveries, { bot_user_id: user_id })
      const { message } = await ann.call(endpoints.messaging.getMessage, {
        message_id: deliveries[0]?.message_ids[0] ?? 0,
      })
      expect(message).toMatchObject({ type: 'private', sender_id: user_id })
    })

    test('subscribes the bot to a private channel, so that it posts there without its owner', async () => {
      const channel = await newChannel(ann, { isPrivate: true, others: [ben] })
      const { url, user_id } = await ann.call(createIntegration, {
        ...{ integration: 'json', stream: channel.name, bot_name: newName() },
      })

      const { subscribers } = await ann.call(listSubscribers, { stream_id: channel.id })
      expect(subscribers).toContain(user_id)
      await ann.call(unsubscribe, { subscriptions: [channel.name] })
      await post(url, '{"a":1}')
      const { deliveries } = await ann.call(listWebhookDeliveries, { bot_user_id: user_id })
      expect(deliveries).toMatchObject([{ outcome: 'posted' }])
    })

    test('says so if there is a bot of that name already, and makes no second one', async () => {
      const given = { integration: 'json', bot_name: newName() }
      await ann.call(createIntegration, given)

      const again = await ann.send(createIntegration, { ...given, bot_name: given.bot_name.toUpperCase() })

      expect(again).toMatchObject(refusal('BAD_REQUEST', { msg: expect.stringContaining('already') }))
      const { bots } = await ann.call(endpoints.users.listBots, {})
      expect(
        bots.filter(({ full_name }) => full_name.toLowerCase() === given.bot_name.toLowerCase()),
      ).toHaveLength(1)
    })

    test('suggests what somebody meant, or lists what there is', async () => {
      const suggested = await ann.send(createIntegration, { integration: 'alertmananger' })
      const listed = await ann.send(createIntegration, { integration: 'x'.repeat(1_000) })

      expect(suggested).toMatchObject(
        refusal('BAD_REQUEST', { msg: expect.stringContaining('Did you mean alertmanager?') }),
      )
      expect(listed).toMatchObject(refusal('BAD_REQUEST', { msg: expect.stringContaining('github, gitlab') }))
    })

    test('makes no bot for a channel that does not exist, or in which the caller may not post', async () => {
      const hidden = await newChannel(ben, { isPrivate: true })
      const to = (stream: string) =>
        ann.send(createIntegration, { integration: 'json', stream, bot_name: newName() })
      const before = (await ann.call(endpoints.users.listBots, {})).bots.length

      expect(await to('no such channel')).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
      expect(await to(hidden.name)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await to(String(hidden.id))).toMatchObject(refusal('BAD_REQUEST'))
      expect((await ann.call(endpoints.users.listBots, {})).bots).toHaveLength(before)
    })

    test('is refused to guests, and to members where they may create no bots', async () => {
      const guest = await newUserOfRole(system(), Role.guest)
      const nobody = JSON.stringify({ new: { direct_members: [], direct_subgroups: [] } })
      const set = (value: string) =>
        system().owner.request('PATCH', '/realm', [
          ['can_create_bots_group', value],
          ['can_create_write_only_bots_group', value],
        ])
      const given = { integration: 'json', bot_name: newName() }

      expect(await guest.send(createIntegration, given)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await set(nobody)).toMatchObject(success())
      try {
        expect(await ann.send(createIntegration, given)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
      } finally {
        const { state } = await registerQueue(ann, { fetch_event_types: ['realm_user_groups'] })
        const groups = state['realm_user_groups'] as { id: number; name: string }[]
        const members = groups.find(({ name }) => name === 'role:members')?.id
        await set(JSON.stringify({ new: members }))
      }
      expect(await ann.send(createIntegration, given)).toMatchObject(success())
    })

    test('cuts a long topic as sending does', async () => {
      const { url } = await ann.call(createIntegration, {
        ...{ integration: 'json', topic: 'x'.repeat(1_000), bot_name: newName() },
      })

      expect(new URL(url).searchParams.get('topic')).toHaveLength(limits.maxTopicLength)
    })
  })
}
