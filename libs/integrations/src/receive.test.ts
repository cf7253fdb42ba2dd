import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findIntegration } from './integrations.ts'
import { PayloadError } from './kernel/payload-error.ts'
import { receive } from './receive.ts'

interface Request {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly secret?: string
  readonly onlyEvents?: readonly string[]
}

function received(name: string, body: string, request: Request = {}) {
  const integration = findIntegration(name)
  if (!integration) throw new Error(`no integration ${name}`)
  return receive(integration, {
    body: Buffer.from(body),
    headers: request.headers ?? {},
    query: request.query ?? {},
    hasTopic: false,
    filter: { onlyEvents: request.onlyEvents ?? null, excludeEvents: null },
    secret: request.secret ?? null,
    now: new Date('2026-03-01T00:00:00Z'),
  })
}

describe('a request is refused', () => {
  test('if it is no JSON', () => {
    expect(received('json', 'a=1')).toEqual({ kind: 'not_json' })
    expect(received('slack_incoming', 'payload=a')).toEqual({ kind: 'not_json' })
  })

  test('if a form has no payload', () => {
    expect(received('slack_incoming', '{"text":"x"}')).toEqual({ kind: 'no_payload' })
  })

  test('if its JSON is deeper than any sender’s', () => {
    const nested = (levels: number) => '{"a":'.repeat(levels) + '"[[["' + '}'.repeat(levels)
    expect(received('json', nested(200))).toMatchObject({ kind: 'messages' })
    for (const levels of [201, 100_000]) expect(() => received('json', nested(levels))).toThrow(PayloadError)
  })

  test.each([
    ['json', '[]'],
    ['slack_incoming', '{"blocks":[{"type":"unheard_of"}]}'],
    ['slack_incoming', '{"text":1}'],
    ['mattermost', '{"text":""}'],
    ['zapier', '{"topic":"x"}'],
    ['zapier', '{"content":"x"}'],
    ['ifttt', '{"topic":{},"content":"x"}'],
    ['slack', 'user_name=ada&text=hi&channel_name=x'],
    ['uptimerobot', '{"monitor_url":"x"}'],
  ])('if it contradicts the form of its sender: %s, %s', (name, body) => {
    const headers = { 'content-type': body.startsWith('user_name') ? 'x' : 'application/json' }
    expect(() => received(name, body, { headers })).toThrow(PayloadError)
  })
})

test.each([
  ['json', '[]', 'payload: not a JSON object but a list'],
  ['github', '"x"', 'payload: not a JSON object but a text'],
  ['alertmanager', 'null', 'payload: not a JSON object but null'],
  ['alertmanager', '{}', 'alerts: missing'],
  ['alertmanager', '{"alerts":[{"status":true}]}', 'alerts.0.status: not a text but true'],
  ['pagerduty', '{"event":{"event_type":{}}}', 'event.event_type: not a text but an object'],
  ['zapier', '{"topic":{},"content":"x"}', 'topic: not expected here: an object'],
])('a refusal says what is wrong in the words of JSON: %s, %s', (name, body, message) => {
  expect(() => received(name, body)).toThrow(new PayloadError(message))
})

describe('a signature', () => {
  const body = '{"alerts":[]}'
  const header = 'x-grafana-alerting-signature'
  const sign = (secret: string) => createHmac('sha256', secret).update(body).digest('hex')

  test('is checked if the address has a secret', () => {
    const secret = 's3cret'
    expect(received('grafana', body, { secret })).toEqual({ kind: 'bad_signature', header })
    expect(received('grafana', body, { secret, headers: { [header]: sign('x') } })).toEqual({
      kind: 'bad_signature',
      header,
    })
    expect(received('grafana', body, { secret, headers: { [header]: sign(secret) } })).toMatchObject({
      kind: 'messages',
    })
    expect(received('grafana', body)).toMatchObject({ kind: 'messages' })
  })
})

test('the address filters messages by their events', () => {
  const body = JSON.stringify({
    monitor_url: 'https://shop.example.com',
    monitor_friendly_name: 'Shop',
    alert_type_friendly_name: 'Up',
    alert_details: 'OK',
  })
  expect(received('uptimerobot', body, { onlyEvents: ['d*'] })).toMatchObject({
    kind: 'messages',
    messages: [],
  })
  expect(received('uptimerobot', body, { onlyEvents: ['u?'] })).toMatchObject({ messages: [{}] })
})
