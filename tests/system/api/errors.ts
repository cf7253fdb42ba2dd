import { connect } from 'node:net'
import { endpoints } from '@tms/contracts'
import type { TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import { faultsOf, refusal, success } from '../support/answers.ts'

type Body = string | Uint8Array<ArrayBuffer> | FormData
const FORM = 'application/x-www-form-urlencoded'

export const errorTests = (system: () => TestSystem): void => {
  /** Sends a body unchanged. */
  const post = async (path: string, body: Body, type?: string) => {
    const { owner, baseUrl } = system()
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${owner.email}:${owner.account?.apiKey}`)}`,
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      body,
    })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    }
  }

  describe('the response envelope', () => {
    test.each([
      ['GET', '/server_settings', []],
      ['GET', '/users/me', []],
      ['GET', '/streams', []],
      ['POST', '/messages/render', [['content', 'x']]],
      ['DELETE', '/users/me/subscriptions', [['subscriptions', '[]']]],
      ['POST', '/register', [['fetch_event_types', '[]']]],
    ] as [string, string, [string, string][]][])(
      'of %s %s lists ignored parameters, and only if there are any',
      async (method, path, fields) => {
        const { owner } = system()
        const plain = await owner.request(method, path, fields)
        const curious = await owner.request(method, path, [
          ...fields,
          ['zebra', '1'],
          ['ant', '2'],
          ['client', 'c'],
        ])

        expect(plain).toMatchObject(success())
        expect(plain.body).not.toHaveProperty('ignored_parameters_unsupported')
        expect(curious).toMatchObject(success({ ignored_parameters_unsupported: ['ant', 'zebra'] }))
      },
    )

    test('of an error lists no ignored parameters', async () => {
      const answer = await system().owner.request('GET', '/get_stream_id', [
        ['stream', 'none'],
        ['zebra', '1'],
      ])

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(answer.body).not.toHaveProperty('ignored_parameters_unsupported')
    })

    test('has a request ID and is never cached', async () => {
      const { headers } = await system().owner.request('GET', '/users/me', [], {
        headers: { 'x-request-id': 'my-own-id' },
      })

      expect(headers.get('x-request-id')).toBe('my-own-id')
      expect(headers.get('cache-control')).toContain('no-store')
      expect(headers.get('content-type')).toBe('application/json')
    })
  })

  describe('a request path', () => {
    test.each([
      '/nothing',
      '/messages/abc',
      '/messages/-1',
      '/streams/1.5',
      '/users/me/x/topics',
      '//messages',
      '/Messages',
      '/messages/1/2/3',
    ])('that is unknown, such as %s, is not found', async (path) => {
      const answer = await system().owner.request('GET', path)

      expect(answer).toMatchObject(refusal('NOT_FOUND', {}, 404))
      expect(faultsOf(answer)).toEqual([])
    })

    test.each([
      ['/users/%ff', /^The path is not percent-encoded UTF-8$/],
      ['/users/%zz', /^The path is not percent-encoded UTF-8$/],
      ['/nothing/%e2%82', /^The path is not percent-encoded UTF-8$/],
      [`/users/${'a'.repeat(5_000)}@example.com`, /^No such user$/],
      [`/users/${'a'.repeat(30_000)}@example.com`, /^email must have at most 20000 characters$/],
    ])('with an empty value is rejected with an explanation', async (path, msg) => {
      const answer = await system().owner.request('GET', path)

      expect(answer).toMatchObject(refusal('BAD_REQUEST', { msg: expect.stringMatching(msg) }))
    })

    test('may end in a slash', async () => {
      expect(await system().owner.request('GET', '/users/me/')).toMatchObject(success())
    })

    test.each([
      ['PUT', '/messages', ['HEAD', 'GET', 'POST']],
      ['DELETE', '/messages', ['HEAD', 'GET', 'POST']],
      ['PATCH', '/events', ['GET', 'DELETE']],
      ['GET', '/register', ['POST']],
      ['POST', '/server_settings', ['HEAD', 'GET']],
    ])('answers %s %s with the allowed methods', async (method, path, allowed) => {
      const answer = await system().owner.request(method, path)

      expect(answer).toMatchObject(refusal('METHOD_NOT_ALLOWED', { allowed_methods: allowed }, 405))
      expect(answer.headers.get('allow')).toBe(allowed.join(', '))
    })

    test('answers HEAD as GET, without the body', async () => {
      const answer = await system().anonymous.request('HEAD', '/server_settings')

      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({})
    })

    test.each([
      ['/join', ['GET', 'POST']],
      ['/accounts/confirm_new_email/some-key', ['GET']],
    ])('of a page, such as %s, accepts only GET, and says so', async (path, allowed) => {
      const outside = { prefix: '' }
      const { anonymous } = system()
      const looked = await anonymous.request('HEAD', path, [], outside)
      const other = await anonymous.request('PUT', path, [], outside)
      const response = await anonymous.request('OPTIONS', path, [], outside)

      expect([looked.status, looked.headers.get('allow')]).toEqual([405, allowed.join(', ')])
      expect(other).toMatchObject(refusal('METHOD_NOT_ALLOWED', { allowed_methods: allowed }, 405))
      expect(response.headers.get('allow')).toBe([...allowed, 'OPTIONS'].join(', '))
    })

    test('that acknowledges events rejects HEAD', async () => {
      const looked = await system().owner.request('HEAD', '/events', [['queue_id', 'some']])

      expect([looked.status, looked.headers.get('allow')]).toEqual([405, 'GET, DELETE'])
    })

    test('that a service rejects itself has the allowed methods too', async () => {
      const [users] = system().system.urls.users ?? []
      const answer = await fetch(`${users}/api/v1/users/me`, { method: 'PUT' })

      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'HEAD, GET, PATCH, DELETE'])
    })

    test('answers OPTIONS with the allowed methods', async () => {
      const answer = await system().anonymous.request('OPTIONS', '/messages')

      expect(answer.status).toBe(204)
      expect(answer.headers.get('allow')).toBe('HEAD, GET, POST, OPTIONS')
    })
  })

  describe('a request body', () => {
    test('may be multipart', async () => {
      const form = new FormData()
      form.set('content', '*x*')
      form.set('file', new Blob(['ignored']), 'file.txt')

      expect(await post('/messages/render', form)).toMatchObject(success({ rendered: '<p><em>x</em></p>' }))
    })

    test('takes precedence over the query, and its last value over earlier ones', async () => {
      const answer = await post('/messages/render?content=query', 'content=first&content=last', FORM)

      expect(answer).toMatchObject(success({ rendered: '<p>last</p>' }))
    })

    test.each([
      ['application/json', /application\/json is not read: send form fields/],
      ['text/plain; charset=utf-8', /text\/plain is not read: send form fields/],
      [FORM, /^Missing 'content' argument$/],
    ])('of %s with an unknown field is rejected with an explanation', async (type, msg) => {
      const answer = await post('/messages/render', '{"content":"x"}', type)

      expect(answer).toMatchObject(
        refusal('REQUEST_VARIABLE_MISSING', { var_name: 'content', msg: expect.stringMatching(msg) }),
      )
    })

    test('of JSON is not treated as an empty change', async () => {
      const hint = refusal('BAD_REQUEST', { msg: expect.stringMatching(/send form fields/) })

      expect(await post('/register', '{"event_types":["message"]}', 'application/json')).toMatchObject(hint)
      for (const nothing of ['', '{}', ' { } ', '[]', 'null']) {
        expect(await post('/register', nothing, 'application/json')).toMatchObject(success())
      }
      expect(await post('/mark_all_as_read', '{"a":1}', 'application/json')).toMatchObject(success())
    })

    test.each<[string, Body, string]>([
      ['bytes that are no UTF-8', new Uint8Array([0x63, 0x3d, 0xff, 0xfe]), FORM],
      ['an escape that is no UTF-8', 'content=%ff', FORM],
      ['an escape that is none', 'content=%zz', FORM],
      ['an escaped NUL', 'content=%00', FORM],
      ['multipart without a boundary', 'x', 'multipart/form-data'],
      [
        'multipart that breaks off',
        '--b\r\ncontent-disposition: form-data; name="content"\r\n\r\nx',
        'multipart/form-data; boundary=b',
      ],
    ])('of %s is rejected', async (_, body, type) => {
      const answer = await post('/messages/render', body, type)

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(faultsOf(answer)).toEqual([])
    })

    test.each<[string, () => Body, string | undefined]>([
      ['text', () => `content=${'x'.repeat(2_000_000)}`, FORM],
      [
        'multipart',
        () => {
          const form = new FormData()
          form.set('content', 'x'.repeat(1_500_000))
          return form
        },
        undefined,
      ],
    ])('of megabytes of %s is too large', async (_, body, type) => {
      expect(await post('/messages', body(), type)).toMatchObject(refusal('REQUEST_TOO_LARGE', {}, 413))
    })

    test('in chunks without a length is too large too', async () => {
      const { owner } = system()
      const head = [
        'POST /api/v1/messages HTTP/1.1',
        'host: localhost',
        `authorization: Basic ${btoa(`${owner.email}:${owner.account?.apiKey}`)}`,
        `content-type: ${FORM}`,
        'transfer-encoding: chunked',
      ].join('\r\n')
      const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`

      const answer = await speak(`${head}\r\n\r\n${piece.repeat(20)}0\r\n\r\n`)

      expect(answer).toMatch(/^HTTP\/1.1 413 /)
      expect(answer).toContain('"REQUEST_TOO_LARGE"')
    })

    test.each([
      ['/messages', 'to', '["\\ud800"]', /half of a surrogate pair/],
      ['/users/me/subscriptions', 'subscriptions', '[{"name":"a\\udfff"}]', /half of a surrogate pair/],
      ['/users/me/alert_words', 'alert_words', '["\\udc00\\ud800"]', /half of a surrogate pair/],
      ['/realm/profile_fields', 'field_data', '{"__proto__":{"text":"a","order":"1"}}', /__proto__/],
    ])('of %s with a %s that cannot be stored is rejected', async (path, name, value, msg) => {
      const others = 'type=channel&topic=a&content=b&field_type=3&name=c'
      const answer = await post(path, `${others}&${name}=${encodeURIComponent(value)}`, FORM)

      expect(answer).toMatchObject(refusal('BAD_REQUEST', { msg: expect.stringMatching(msg) }))
    })

    test.each([
      ['/messages', 'local_id', 255],
      ['/messages', 'queue_id', 255],
      ['/fetch_api_key', 'password', 20_000],
    ])('of %s is limited in %s to %i characters', async (path, name, max) => {
      const others = 'type=channel&topic=a&to=b&content=c&username=d'
      const answer = await post(path, `${others}&${name}=${'x'.repeat(max + 1)}`, FORM)

      const msg = `${name} must have at most ${max} characters`
      expect(answer).toMatchObject(refusal('BAD_REQUEST', { msg }))
    })

    test.each([10_000, 300_000])('of JSON nested %d deep is rejected', async (depth) => {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
      for (const [path, name] of [
        ['/messages', 'to'],
        ['/users/me/subscriptions', 'subscriptions'],
        ['/register', 'narrow'],
        ['/messages/flags', 'messages'],
      ]) {
        const fields = 'type=channel&topic=a&content=b&op=add&flag=read'
        const answer = await post(path ?? '', `${fields}&${name}=${nested}`, FORM)

        expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      }
    })
  })

  describe('malformed HTTP', () => {
    test.each([
      ['no HTTP', 'hello\r\n\r\n', 400],
      ['no host', 'GET /api/v1/users/me HTTP/1.1\r\n\r\n', 400],
      [
        'headers of a megabyte',
        `GET /api/v1/users/me HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`,
        431,
      ],
      [
        'a URL that is too long',
        `GET /api/v1/users/me?x=${'y'.repeat(150_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
        414,
      ],
      [
        'a raw byte in the path',
        'GET /api/v1/users/\xff HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
        4,
      ],
    ])('such as %s is answered in JSON', async (_, text, status) => {
      const answer = await speak(text)

      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
      expect(answer).toContain('"result":"error"')
    })
  })

  test('internal calls are not open to clients', async () => {
    const { baseUrl, owner } = system()
    const response = await fetch(`${baseUrl}/internal/users`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${owner.email}:${owner.account?.apiKey}`)}` },
    })

    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ result: 'error', code: 'NOT_FOUND' })
  })

  test('a user who opens the address in a browser is directed to the documentation', async () => {
    const about = (await (await fetch(system().baseUrl)).json()) as { openapi: string }
    const document = (await (await fetch(`${system().baseUrl}${about.openapi}`)).json()) as { paths: object }

    const path = `/api/v1${endpoints.messaging.sendMessage.path}`
    expect(Object.keys(document.paths).some((one) => path.endsWith(one))).toBe(true)
  })

  /** Writes bytes to the gateway and reads until it closes the connection, or has answered. */
  const speak = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(system().baseUrl)
      const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
      let answer = ''
      socket.setTimeout(10_000, () => socket.destroy(new Error(`no end of ${answer}`)))
      socket.on('data', (chunk) => {
        answer += chunk.toString()
        if (answer.endsWith('}')) socket.end()
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', (err) => (answer === '' ? reject(err) : resolve(answer)))
    })
}
