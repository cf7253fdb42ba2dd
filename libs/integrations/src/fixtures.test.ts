import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { integrations } from './integrations.ts'
import { receive } from './receive.ts'

const folder = new URL('../fixtures/', import.meta.url)

interface Fixture {
  readonly title: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly hasTopic?: boolean
  /** JSON, or the text of the body. */
  readonly body: unknown
  /** Events of the messages; left out if the integration has none. */
  readonly event?: string
  readonly unsupported?: string
  /** In the payload. */
  readonly deliveryId?: string
  readonly messages?: readonly { readonly topic: string; readonly content: string }[]
}

for (const integration of integrations) {
  describe(`${integration.displayName} makes messages of`, () => {
    const files = readdirSync(new URL(`${integration.name}/`, folder)).sort()
    const fixtures = files.map(
      (file) => JSON.parse(readFileSync(new URL(`${integration.name}/${file}`, folder), 'utf8')) as Fixture,
    )

    test.each(fixtures.map((fixture) => [fixture.title, fixture] as const))('%s', (_title, fixture) => {
      const { headers = {}, query = {}, hasTopic = false, body, event = null, unsupported } = fixture
      const received = receive(integration, {
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
        headers,
        query,
        hasTopic,
        filter: { onlyEvents: null, excludeEvents: null },
        secret: null,
        now: new Date('2026-03-01T00:00:00Z'),
      })
      const messages = fixture.messages?.map((each) => ({ ...each, event }))
      const ofHeader = integration.deliveryIdHeader && headers[integration.deliveryIdHeader]
      expect(received).toEqual(
        unsupported
          ? { kind: 'unsupported', event: unsupported }
          : { kind: 'messages', messages, deliveryId: (fixture.deliveryId ?? ofHeader) || null },
      )
    })

    test('every event that can be chosen', () => {
      const seen = new Set(fixtures.map(({ event }) => event))
      expect((integration.events ?? []).filter((event) => !seen.has(event))).toEqual([])
    })
  })
}
