import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { integrations } from './integrations.ts'
import type { AnyIntegration } from './kernel/integration.ts'
import { PayloadError } from './kernel/payload-error.ts'
import { receive } from './receive.ts'

const folder = new URL('../fixtures/', import.meta.url)
const RUNS = 100

interface Fixture {
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

const MENTIONS = ['all', 'everyone', 'channel', 'stream', 'topic', 'Ada', 'Ada|5', '|5']
const TEXTS = [
  ...MENTIONS.map((name) => `@**${name}**`),
  ...['@*team*', '@', '@**', '<!channel>', '<!everyone>', '<@U1>', 'x (@**all**) "@**all**" /@**all**'],
  ...['```', '~~~ quote', '`', '``', '$$', '](http://e.com)', '[', ']', '](', '**', '\\', '|', '> ', '# '],
  ...['<script>alert(1)</script>', '<!-- @**all** -->', '"><img src=x onerror=y>', 'javascript:alert(1)'],
  ...['https://e.com/`/@**all**', 'https://e.com/)@**all**', 'https://e.com/\n@**all**', 'http://'],
  ...['', ' ', '\0', '\uD800', '\uE0000\uE001', '\u2028', '\u202E', '%', '%%%', '{{x}}', '${x}', '$&'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'NaN', '-1', '0001-01-01T00:00:00Z'],
  ...['9999999999999-01-01', '2026-13-45', '0'.repeat(40), 'refs/heads/', 'a/b/c', '.', '..', '/', ':', '*'],
  ...['@**all**', '`', '\n', '[', '<', '*a', '_a ', '{{', '{code}', '\\', 'ab '].map((each) =>
    each.repeat(3_000),
  ),
]
const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, -1, 1e21, 2 ** 53, 0.5, 1e308, true, false, null, [], {}, [null]),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(nested(150), new Array(1_000).fill('x')) },
)

function nested(depth: number): unknown {
  let value: unknown = []
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? { a: value } : [value]
  return value
}

/** What to do at a part of a payload, which `at` chooses among all its parts. */
const changes = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom(
    'replace',
    'replace',
    'replace',
    'replace',
    'remove',
    'repeat',
    'prototype',
    'append',
  ),
  value: values,
})
type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never

interface Part {
  readonly parent: Record<string, unknown> | unknown[]
  readonly key: string
}

function partsOf(root: object): Part[] {
  const parts: Part[] = []
  const pending: object[] = [root]
  for (let object = pending.pop(); object; object = pending.pop())
    for (const [key, value] of Object.entries(object)) {
      parts.push({ parent: object as Part['parent'], key })
      if (typeof value === 'object' && value !== null) pending.push(value)
    }
  return parts
}

function change(root: { payload: unknown }, { at, kind, value: shared }: Change): void {
  // A value that is shared would contain itself after a second change.
  const value = structuredClone(shared)
  const parts = partsOf(root)
  const part = parts[at % parts.length]
  if (!part) return
  const parent = part.parent as Record<string, unknown>
  const current = parent[part.key]
  if (kind === 'remove' && Array.isArray(parent)) parent.splice(Number(part.key), 1)
  else if (kind === 'remove') delete parent[part.key]
  else if (kind === 'append' && typeof current === 'string') parent[part.key] = `${current}${asText(value)}`
  else if (kind === 'repeat' && Array.isArray(current)) parent[part.key] = current.concat(current, [value])
  else if (kind === 'prototype' && typeof current === 'object' && current !== null)
    Object.defineProperty(current, '__proto__', {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else parent[part.key] = value
}

/** Not `String`, which calls what the value itself has by that name. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : asBody(value))
const asBody = (payload: unknown): string => JSON.stringify(payload) ?? ''

/** The messages, or null for what is refused. Any other exception fails the test. */
function messagesOf(integration: AnyIntegration, headers: Fixture['headers'], query: object, body: string) {
  try {
    const received = receive(integration, {
      body: Buffer.from(body),
      headers: headers ?? {},
      query: query as Record<string, string>,
      hasTopic: body.length % 2 === 0,
      filter: { onlyEvents: null, excludeEvents: null },
      secret: null,
      now: new Date('2026-03-01T00:00:00Z'),
    })
    return received.kind === 'messages' ? received.messages : null
  } catch (error) {
    if (error instanceof PayloadError) return null
    throw error
  }
}

/** A mention that notifies: at the start of a text, or after a character that may precede one. */
const LOUD_MENTION = /(^|[\s'"({[/<])@(\*\*[^*\n]{1,256}\*\*|\*[^*\n]{1,256}\*(?!\*))/

/** Code mentions nobody, be it a block or a span. `json` writes the payload in a block, and has nothing else. */
const withoutCode = (content: string): string =>
  content.replace(/^(`{3,})[^`\n]*\n[^]*?\n\1$/gm, '').replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')
const isCodeOnly = (integration: AnyIntegration) => integration.name === 'json'

describe.each(integrations.map((integration) => [integration.displayName, integration] as const))(
  '%s survives',
  (_name, integration) => {
    const files = readdirSync(new URL(`${integration.name}/`, folder)).sort()
    const fixtures = files.map(
      (file) => JSON.parse(readFileSync(new URL(`${integration.name}/${file}`, folder), 'utf8')) as Fixture,
    )
    const fixture = fc.constantFrom(...fixtures)
    const query = fc.dictionary(
      fc.constantFrom(...Object.keys(integration.parameters), 'payload'),
      fc.constantFrom(...TEXTS, '0', '1', 'true', 'false', 'main'),
    )

    const check = (headers: Fixture['headers'], parameters: object, body: string) => {
      const messages = messagesOf(integration, headers, parameters, body)
      for (const { topic, content, event } of messages ?? []) {
        expect(typeof topic).toBe('string')
        expect(event === null || integration.events?.includes(event)).toBe(true)
        if (!isCodeOnly(integration)) expect(withoutCode(content)).not.toMatch(LOUD_MENTION)
      }
    }

    test('payloads that are changed', () => {
      fc.assert(
        fc.property(
          fixture,
          fc.array(changes, { minLength: 1, maxLength: 6 }),
          query,
          ({ headers, body }, all, parameters) => {
            const root = { payload: payloadIn(body) }
            for (const each of all) change(root, each)
            check(headers, parameters, bodyLike(body, root.payload))
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      )
    })

    test('each text replaced by each hostile one', () => {
      for (const { headers, body } of fixtures)
        for (const text of TEXTS.filter(({ length }) => length < 100)) {
          const root = { payload: payloadIn(body) }
          const prefix = integration.body === 'fields' ? '' : '~'
          for (const { parent, key } of partsOf(root))
            if (typeof (parent as Record<string, unknown>)[key] === 'string')
              (parent as Record<string, unknown>)[key] =
                key.length % 2 === 0 ? text : `${(parent as Record<string, unknown>)[key]}${prefix}${text}`
          check(headers, {}, bodyLike(body, root.payload))
        }
    })

    test('headers that are missing or strange', () => {
      fc.assert(
        fc.property(fixture, values, ({ headers = {}, body }, value) => {
          const changed = Object.fromEntries(Object.keys(headers).map((name) => [name, asText(value)]))
          const type = headers['content-type']
          const text = bodyLike(body, payloadIn(body))
          check({}, {}, text)
          check(type === undefined ? changed : { ...changed, 'content-type': type }, {}, text)
        }),
        { numRuns: 30 },
      )
    })

    test('bodies that are anything', () => {
      fc.assert(
        fc.property(fc.oneof(fc.json({ maxDepth: 5 }), fc.string()), fixture, (body, { headers }) =>
          check(headers, {}, body),
        ),
        { numRuns: RUNS, endOnFailure: true },
      )
      for (const body of [
        '',
        '[',
        '{}',
        '[]',
        'null',
        '{"__proto__":{}}',
        '['.repeat(1e6),
        '{"a":'.repeat(1e5),
      ])
        check({}, {}, body)
    })
  },
)

/** The payload of a fixture: JSON, or the fields of a form or what its field `payload` has. */
function payloadIn(body: unknown): unknown {
  if (typeof body !== 'string') return structuredClone(body)
  const form = new URLSearchParams(body)
  const payload = form.get('payload')
  return payload === null ? Object.fromEntries(form) : JSON.parse(payload)
}

/** A changed payload in the form of the fixture's. */
function bodyLike(body: unknown, payload: unknown): string {
  if (typeof body !== 'string') return asBody(payload)
  if (new URLSearchParams(body).has('payload'))
    return new URLSearchParams({ payload: asBody(payload) }).toString()
  const fields = typeof payload === 'object' && payload !== null ? Object.entries(payload) : []
  return new URLSearchParams(
    fields.map(([name, value]) => [name, typeof value === 'string' ? value : asBody(value)]),
  ).toString()
}
