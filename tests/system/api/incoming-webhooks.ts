import { createHmac, randomUUID } from 'node:crypto'
import { endpoints, limits, type MessageRecord } from '@tms/contracts'
import { type ApiClient, type EventQueue, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../support/answers.ts'
import { newChannel, newUsers } from '../support/users-and-channels.ts'

const { createBot, deactivateBot } = endpoints.users
const { getMessages, listWebhookDeliveries, renderWebhookTemplate, repeatWebhookDelivery } =
  endpoints.messaging

type Message = MessageRecord & { content: string }
type Query = Readonly<Record<string, string>>
interface Bot {
  readonly id: number
  readonly name: string
  readonly key: string
}

let names = 0
/** What every payload of GitHub says. */
const repository = {
  repository: {
    ...{
      name: 'shop',
      full_name: 'ann/shop',
      private: false,
      html_url: 'https://github.example.com/ann/shop',
    },
  },
  sender: { login: 'ann', html_url: 'https://github.example.com/ann' },
}
const alerts = (...named: string[]) => ({
  version: '4',
  alerts: named.map((alertname) => ({
    ...{ status: 'firing', annotations: {}, generatorURL: '' },
    labels: { alertname, instance: 'db1' },
  })),
})

export const incomingWebhookTests = (system: () => TestSystem): void => {
  /** Owns the bots. */
  let ann: ApiClient
  let ben: ApiClient
  let queue: EventQueue
  let channel: { name: string; id: number }
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    channel = await newChannel(ann, { others: [ben] })
    queue = (await registerQueue(ann, { apply_markdown: false })).follow()
  })

  const newBot = async (owner = ann): Promise<Bot> => {
    const input = { full_name: `Alerts ${++names}`, short_name: `alerts-${names}`, bot_type: 2 as const }
    const { user_id, api_key } = await owner.call(createBot, input)
    return { id: user_id, name: input.full_name, key: api_key }
  }
  const post = async (
    integration: string,
    query: Query,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const path = `/api/v1/external/${integration}?${new URLSearchParams(query)}`
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    // Without credentials in headers, as programs send it.
    const response = await system().anonymous.fetch(path, { method: 'POST', body: text, headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const messagesFrom = (name: string): Message[] =>
    queue.events
      .filter(({ type }) => type === 'message')
      .map((event) => event['message'] as Message)
      .filter(({ sender_full_name }) => sender_full_name === name)
  const received = async (name: string, count = 1): Promise<Message[]> => {
    await queue.until(() => messagesFrom(name).length >= count, `${count} messages of ${name}`)
    return messagesFrom(name)
  }
  /** What the notification bot wrote to Ann about a bot. */
  const noticesAbout = async (name: string): Promise<string[]> => {
    const answer = await ann.call(getMessages, {
      ...{ anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false },
      narrow: [{ operator: 'is', operand: 'dm' }],
    })
    const contents = answer.messages.map(({ content }) => content)
    return contents.filter((text) => text.includes(`@_**${name}|`))
  }
  const deliveriesOf = async ({ id }: Bot, client = ann) =>
    (await client.call(listWebhookDeliveries, { bot_user_id: id })).deliveries

  describe('the address of an integration', () => {
    test('posts an alert in its channel, in the event of a poll', async () => {
      const bot = await newBot()

      const answer = await post(
        'alertmanager',
        { api_key: bot.key, stream: channel.name },
        alerts('DiskFull'),
      )

      expect(answer).toEqual({ status: 200, body: { result: 'success', msg: '' } })
      expect(await received(bot.name)).toMatchObject([
        {
          ...{ display_recipient: channel.name, subject: 'db1', client: 'AlertmanagerWebhook' },
          content: ':alert: **FIRING** DiskFull',
        },
      ])
    })

    test('takes the ID of a channel, and a topic that replaces the integration’s', async () => {
      const bot = await newBot()

      await post('json', { api_key: bot.key, stream: String(channel.id), topic: 'given' }, { a: 1 })

      expect(await received(bot.name)).toMatchObject([{ stream_id: channel.id, subject: 'given' }])
    })

    test('decodes channel and topic once more where programs encode the address they were given', async () => {
      const bot = await newBot()
      const twice = { stream: encodeURIComponent(channel.name), topic: 'new%20issues' }
      const issue = {
        webhookEvent: 'jira:issue_created',
        issue: { key: 'SHOP-1', self: 'https://jira.example.com/' },
      }

      await post('jira', { api_key: bot.key, ...twice }, issue)

      expect(await received(bot.name)).toMatchObject([{ stream_id: channel.id, subject: 'new issues' }])
    })

    test('writes to the owner of the bot if it names no channel', async () => {
      const bot = await newBot()

      await post('json', { api_key: bot.key, topic: 'ignored' }, { a: 1 })

      expect(await received(bot.name)).toMatchObject([{ type: 'private', subject: '' }])
    })

    test('reads JSON whatever the content type says', async () => {
      const bot = await newBot()
      const form = { 'content-type': 'application/x-www-form-urlencoded' }

      const answer = await post('json', { api_key: bot.key }, '{"a":1}', form)

      expect(answer.status).toBe(200)
      expect(await received(bot.name)).toHaveLength(1)
    })

    test('passes the integration its own parameters', async () => {
      const bot = await newBot()
      const query = { api_key: bot.key, stream: channel.name, name: 'alertname', desc: 'instance' }

      await post('alertmanager', query, alerts('DiskFull'))

      expect(await received(bot.name)).toMatchObject([
        { subject: 'DiskFull', content: ':alert: **FIRING** db1' },
      ])
    })

    test('rejects a missing, a malformed, an unknown key, and that of a deactivated bot', async () => {
      const bot = await newBot()
      await ann.call(deactivateBot, { bot_user_id: bot.id })

      expect(await post('json', {}, {})).toMatchObject(
        refusal('REQUEST_VARIABLE_MISSING', { var_name: 'api_key' }),
      )
      for (const api_key of ['short', 'w'.repeat(32), bot.key])
        expect(await post('json', { api_key }, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    })

    test('answers Zapier, which tries its connection, with the bot', async () => {
      const bot = await newBot()

      const answer = await post('zapier', { api_key: bot.key }, { type: 'auth' })

      expect(answer).toMatchObject({ status: 200, body: { id: bot.id, full_name: bot.name } })
      expect(await deliveriesOf(bot)).toMatchObject([{ outcome: 'filtered' }])
    })

    test('checks signatures, lets named events through only, and posts a repeated delivery once', async () => {
      const bot = await newBot()
      const body = JSON.stringify({ zen: 'x', hook: { events: ['push'] }, ...repository })
      const signature = `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`
      const headers = { 'x-github-event': 'ping', 'x-github-delivery': randomUUID() }
      const query = { api_key: bot.key, stream: channel.name, webhook_secret: 'hush' }
      const signed = { ...headers, 'x-hub-signature-256': signature }

      expect(await post('github', query, body, headers)).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
      for (const events of ['["push*"]', '["p?ng"]', '["p?ng"]'])
        expect(await post('github', { ...query, only_events: events }, body, signed)).toMatchObject({
          status: 200,
        })

      const outcomes = (await deliveriesOf(bot)).map(({ outcome, message_ids }) => [outcome, message_ids])
      const [message] = await received(bot.name)
      expect(outcomes).toEqual([
        ['posted', [message?.id]],
        ['posted', [message?.id]],
        ['filtered', []],
        ['failed', []],
      ])
    })

    test('answers an event that it doesn’t know with a success that says so', async () => {
      const bot = await newBot()
      const headers = { 'x-github-event': 'unheard_of' }

      expect(await post('github', { api_key: bot.key }, { ...repository }, headers)).toMatchObject({
        status: 200,
        body: { result: 'success', code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE', webhook_name: 'github' },
      })
    })

    test('answers senders of Slack’s form as they expect it', async () => {
      const bot = await newBot()
      const query = { api_key: bot.key, stream: channel.name }
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const payload = new URLSearchParams({ payload: JSON.stringify({ text: '*bold*', channel: '#ops' }) })

      expect(await post('slack_incoming', query, payload.toString(), form)).toMatchObject({
        status: 200,
        body: { result: 'success', ok: true },
      })
      expect(await received(bot.name)).toMatchObject([{ subject: 'ops', content: '**bold**' }])
    })

    test('rejects an unknown integration', async () => {
      const { key } = await newBot()

      expect(await post('nothing', { api_key: key }, {})).toMatchObject(refusal('BAD_REQUEST', {}, 404))
    })

    test('is the only thing beside sending that the key of an incoming webhook opens', async () => {
      const bot = await newBot()
      const { user } = await ann.call(endpoints.users.getUser, { user_id: bot.id })
      const client = ann.as({ userId: bot.id, email: user.email, apiKey: bot.key })

      expect(await client.request('GET', '/users/me', new Map([['api_key', bot.key]]))).toMatchObject(
        refusal('UNAUTHORIZED', {}, 401),
      )
    })
  })

  describe('templates of JSON', () => {
    const templates = {
      template: '{{#failed}}{{job}} has failed, @**all**: {{reason}}{{/failed}}',
      topic_template: '{{job}}',
    }
    const payload = { job: 'nightly', failed: true, reason: 'disk\nfull @**everyone**' }

    test('are tried without posting, and lead to the same message at an address', async () => {
      const bot = await newBot()

      const tried = await ann.call(renderWebhookTemplate, { ...templates, payload: JSON.stringify(payload) })
      const parameters = Object.fromEntries(new URLSearchParams(tried.address_parameters))
      await post('json', { api_key: bot.key, stream: channel.name, ...parameters }, payload)

      const content = 'nightly has failed, @**all**: disk full @\u200b**everyone**'
      expect(tried.message).toEqual({ topic: 'nightly', content })
      expect(await received(bot.name)).toMatchObject([{ subject: 'nightly', content }])
    })

    test('that come to nothing post nothing', async () => {
      const bot = await newBot()
      const passed = { ...payload, failed: false }

      expect(
        await ann.call(renderWebhookTemplate, { ...templates, payload: JSON.stringify(passed) }),
      ).toMatchObject({ message: null })
      await post('json', { api_key: bot.key, stream: channel.name, ...templates }, passed)

      expect(await deliveriesOf(bot)).toMatchObject([{ outcome: 'filtered', status: 200 }])
    })

    test('that are wrong are refused, with the place', async () => {
      const bot = await newBot()
      const wrong = { template: 'Job {{job' }
      const reason = { msg: 'template: unclosed tag at character 5' }

      expect(await ann.send(renderWebhookTemplate, { ...wrong, payload: '{}' })).toMatchObject(
        refusal('BAD_REQUEST', reason),
      )
      expect(await post('json', { api_key: bot.key, ...wrong }, payload)).toMatchObject(
        refusal('BAD_REQUEST', reason),
      )
      expect(await noticesAbout(bot.name)).toEqual([expect.stringContaining(reason.msg)])
    })

    test('need a JSON object', async () => {
      expect(await ann.send(renderWebhookTemplate, { ...templates, payload: '{' })).toMatchObject(
        refusal('INVALID_JSON'),
      )
      expect(await ann.send(renderWebhookTemplate, { ...templates, payload: '[1]' })).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'payload: not a JSON object but a list' }),
      )
    })
  })

  describe('what goes wrong at an address', () => {
    test('is refused, and the owner is notified once a minute', async () => {
      const bot = await newBot()
      const query = { api_key: bot.key, stream: channel.name }

      expect(await post('json', query, '{')).toMatchObject(refusal('INVALID_JSON'))
      expect(await post('alertmanager', query, { alerts: [{ labels: 1 }] })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(await post('json', query, 'x'.repeat(6 * 1024 * 1024))).toMatchObject(
        refusal('REQUEST_TOO_LARGE', {}, 413),
      )

      const notices = await noticesAbout(bot.name)
      expect(notices).toEqual([expect.stringContaining('Malformed JSON')])
      expect(await deliveriesOf(bot)).toMatchObject([
        { outcome: 'failed', status: 400, integration: 'alertmanager', message_ids: [] },
        { outcome: 'failed', status: 400, error: 'Malformed JSON', payload: '{', is_complete: true },
      ])
    })

    test('is refused whatever it contains, and never by an error of the server', async () => {
      const bot = await newBot()
      const query = { api_key: bot.key, stream: channel.name }
      const alert = { status: 'firing', annotations: {}, generatorURL: '' }

      const answers = [
        await post('json', { ...query, other: '\0' }, { a: 1 }),
        await post('alertmanager', query, {
          alerts: [{ ...alert, labels: { '\0\n```\n[x](https://e.com)': 1 } }],
        }),
        await post('alertmanager', { ...query, webhook_secret: 'x' }, alerts('DiskFull')),
        await post(
          'slack',
          { ...query, channels_map_to_topics: '0' },
          'user_name=a&text=b&channel_name=%00',
          {
            'content-type': 'application/x-www-form-urlencoded',
          },
        ),
      ]

      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 200])
      expect(messagesFrom(bot.name)).toEqual([])
      const [notice] = await noticesAbout(bot.name)
      expect(notice).toContain('````text')
    })

    test('is a request for very many messages: the last of fifty says how many are left out', async () => {
      const bot = await newBot()
      const many = Array.from({ length: 60 }, (_, i) => ({
        ...{ status: 'firing', annotations: {}, generatorURL: '', labels: { instance: `host ${i}` } },
      }))

      await post('alertmanager', { api_key: bot.key, stream: channel.name }, { alerts: many })

      const messages = await received(bot.name, 50)
      expect(messages).toHaveLength(50)
      expect(messages.at(-1)?.content).toBe('11 more messages of this delivery are not shown.')
    })

    test('is a success for the sender if the channel does not exist', async () => {
      const bot = await newBot()

      const answer = await post('json', { api_key: bot.key, stream: 'no such channel' }, { a: 1 })

      expect(answer.status).toBe(200)
      expect(await noticesAbout(bot.name)).toEqual([expect.stringContaining('no such channel')])
      expect(await deliveriesOf(bot)).toMatchObject([{ outcome: 'failed', status: 200 }])
    })

    test('is a success for the sender if the channel is archived', async () => {
      const archived = await newChannel(ann)
      const bot = await newBot()
      await ann.call(endpoints.messaging.archiveChannel, { stream_id: archived.id })

      const answer = await post('json', { api_key: bot.key, stream: String(archived.id) }, { a: 1 })

      expect(answer.status).toBe(200)
      expect(await noticesAbout(bot.name)).toEqual([expect.stringContaining(String(archived.id))])
    })

    test('is a notice to the owner once a minute if nobody is subscribed to the channel', async () => {
      const { name } = await newChannel(ann)
      const bot = await newBot()
      await ann.call(endpoints.messaging.unsubscribe, { subscriptions: [name] })
      const query = { api_key: bot.key, stream: name }

      for (const topic of ['first', 'second']) await post('json', { ...query, topic }, { a: 1 })

      const [notice, ...more] = await noticesAbout(bot.name)
      expect(notice).toContain('posted in a channel to which nobody is subscribed')
      expect(notice).toContain(name)
      expect(more).toEqual([])
      expect(await deliveriesOf(bot)).toMatchObject([{ outcome: 'posted' }, { outcome: 'posted' }])
    })

    test('is a refusal if neither the bot nor its owner may post there', async () => {
      const hidden = await newChannel(ben, { isPrivate: true })
      const bot = await newBot()

      expect(await post('json', { api_key: bot.key, stream: hidden.name }, { a: 1 })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('the deliveries of a bot', () => {
    test('show payload, parameters, headers and messages, without the key', async () => {
      const bot = await newBot()
      const query = { api_key: bot.key, stream: channel.name, name: 'alertname' }
      const headers = { 'x-some-event': 'alert', authorization: 'Bearer hush' }
      await post('alertmanager', query, alerts('DiskFull'), headers)
      const [message] = await received(bot.name)

      const [delivery] = await deliveriesOf(bot)

      expect(delivery).toMatchObject({
        ...{ integration: 'alertmanager', outcome: 'posted', status: 200, error: null },
        parameters: { stream: channel.name, name: 'alertname' },
        headers: { 'x-some-event': 'alert' },
        payload: JSON.stringify(alerts('DiskFull')),
        message_ids: [message?.id],
      })
      expect(JSON.stringify(delivery)).not.toMatch(new RegExp(`hush|${bot.key}`))
    })

    test('are kept up to a hundred, newest first, and long ones in part', async () => {
      const bot = await newBot()
      const query = { api_key: bot.key, stream: channel.name, topic: 'many' }
      for (let i = 0; i < 101; i++) await post('json', query, { i })
      await post('json', query, { long: 'x'.repeat(70_000) })

      const deliveries = await deliveriesOf(bot)

      expect(deliveries).toHaveLength(100)
      expect(deliveries[0]).toMatchObject({ is_complete: false, outcome: 'posted' })
      expect(deliveries[99]?.payload).toBe('{"i":2}')
    })

    test('are posted again on request', async () => {
      const bot = await newBot()
      await post('alertmanager', { api_key: bot.key, stream: channel.name }, alerts('DiskFull'))
      const [first] = await deliveriesOf(bot)

      const again = await ann.call(repeatWebhookDelivery, {
        ...{ bot_user_id: bot.id, delivery_id: first?.id ?? 0 },
      })

      expect(again.delivery).toMatchObject({ outcome: 'posted', payload: first?.payload })
      expect((await received(bot.name, 2)).map(({ content }) => content)).toEqual(
        Array(2).fill(':alert: **FIRING** DiskFull'),
      )
    })

    test('are shown to the owner of the bot and administrators only', async () => {
      const bot = await newBot()
      await post('json', { api_key: bot.key }, { a: 1 })

      expect(await deliveriesOf(bot, system().owner)).toHaveLength(1)
      expect(await ben.send(listWebhookDeliveries, { bot_user_id: bot.id })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  test('the integrations are in the initial state of clients, with their events and parameters', async () => {
    const { state } = await registerQueue(ann, { fetch_event_types: ['realm_incoming_webhook_bots'] })
    const listed = state['realm_incoming_webhook_bots']

    expect(listed).toContainEqual({
      ...{ name: 'alertmanager', display_name: 'Alertmanager', all_event_types: null, config_options: [] },
      url_options: expect.arrayContaining([
        { key: 'name', label: expect.any(String), validator: 'check_string' },
      ]),
    })
    expect(listed).toContainEqual(
      expect.objectContaining({ name: 'github', all_event_types: expect.arrayContaining(['push_commits']) }),
    )
  })

  test('a long text of a sender is cut like any message', async () => {
    const bot = await newBot()

    await post('json', { api_key: bot.key, stream: channel.name }, { long: 'x'.repeat(20_000) })

    expect((await received(bot.name))[0]?.content).toHaveLength(limits.maxMessageLength)
  })
}
