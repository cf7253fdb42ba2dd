import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { addressList } from '../requests/addresses.ts'
import type { Call } from '../requests/call.ts'
import { downstreamHeaders, upstreamHeaders } from './forwarded-headers.rules.ts'

const untrusting = { trustsProxy: false, scheme: 'http' } as const

/** The headers as an object; throws if a name occurs twice. */
function sent(
  headers: IncomingMessage['headers'],
  method = 'POST',
  trustsProxy = false,
  traceHeaders: Record<string, string> | null = null,
  overLimit: number | null = null,
) {
  const request = {
    headers,
    method,
    socket: { remoteAddress: '::ffff:10.0.0.9' },
  } as unknown as IncomingMessage
  const call = { request, requestId: 'r1', token: 't', overLimit } as Call
  return asObject(upstreamHeaders(call, 'users:1', { ...untrusting, trustsProxy }, traceHeaders))
}

function asObject(list: readonly string[]): Record<string, string> {
  const pairs: [string, string][] = []
  for (let i = 0; i < list.length; i += 2) pairs.push([list[i] as string, list[i + 1] as string])
  expect(new Set(pairs.map(([name]) => name)).size).toBe(pairs.length)
  return Object.fromEntries(pairs)
}

/** What a service gets of a user that a proxy at 10.0.0.9 names in `x-forwarded-user`. */
function namedTo(
  endpoint: Partial<Call['endpoint'] & object>,
  rawHeaders: readonly string[],
  { peer = '::ffff:10.0.0.9', isConfigured = true } = {},
) {
  const headers: Record<string, string> = {}
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [String(rawHeaders[i]).toLowerCase(), String(rawHeaders[i + 1])]
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const request = { headers, rawHeaders, method: 'GET', socket: { remoteAddress: peer } }
  const call = { request, requestId: 'r1', token: 't', overLimit: null, endpoint } as unknown as Call
  const remoteUser = isConfigured ? { header: 'x-forwarded-user', proxies: addressList('10.0.0.9') } : null
  const sentHeaders = asObject(upstreamHeaders(call, 'users:1', { ...untrusting, remoteUser }))
  return Object.fromEntries(Object.entries(sentHeaders).filter(([name]) => name.includes('user')))
}

describe('the user that a proxy has signed in', () => {
  const page = { takesRemoteUser: true }

  test('is forwarded to the page that takes it, in the name that services know', () => {
    expect(namedTo(page, ['X-Forwarded-User', ' ada '])).toEqual({ 'x-remote-user': 'ada' })
  })

  test.each<[string, string[], Parameters<typeof namedTo>[2]]>([
    ['of another peer', ['X-Forwarded-User', 'ada'], { peer: '10.0.0.8' }],
    ['in the name that services know', ['X-Remote-User', 'ada'], {}],
    ['in that name, of another peer', ['x-remote-user', 'ada'], { peer: '10.0.0.8' }],
    ['in that name, without a header that is configured', ['x-remote-user', 'ada'], { isConfigured: false }],
    ['that comes twice', ['X-Forwarded-User', 'ada', 'x-forwarded-user', 'boss'], {}],
    ['that is empty', ['X-Forwarded-User', ' '], {}],
  ])('is not one %s', (_, headers, options) => {
    expect(namedTo(page, headers, options)).toEqual({})
  })

  test('is not one with underscores, which stays a header without meaning', () => {
    expect(namedTo(page, ['X_Forwarded_User', 'ada', 'x_remote_user', 'ada'])).toEqual({
      x_forwarded_user: 'ada',
      x_remote_user: 'ada',
    })
  })

  test('is forwarded to nothing else', () => {
    const headers = ['X-Forwarded-User', 'ada', 'X-Remote-User', 'ada']
    expect(namedTo({ takesRemoteUser: false }, headers)).toEqual({})
    expect(namedTo({ takesCookies: true }, headers)).toEqual({})
  })
})

describe('headers to a service', () => {
  test("carry the gateway's values instead of the client's", () => {
    const spoofed = { 'x-forwarded-for': '6.6.6.6', 'x-forwarded-host': 'evil', 'x-forwarded-proto': 'https' }
    const headers = sent({ host: 'chat.example', authorization: 'Basic x', 'x-request-id': 'q', ...spoofed })
    expect(headers).toEqual({
      host: 'users:1',
      authorization: 'Bearer t',
      'x-request-id': 'r1',
      'x-forwarded-for': '10.0.0.9',
      'x-forwarded-host': 'chat.example',
      'x-forwarded-proto': 'http',
      connection: 'keep-alive',
      'content-length': '0',
    })
  })

  test('carry a browser’s cookies only to pages that take them, and only their own', () => {
    const cookie =
      'a=1; __Host-sessionid=s;csrftoken=c; __Host-sessionid2=x; sessionid; __Secure-sessionid=y; b=sessionid=2'
    const request = { headers: { cookie }, method: 'POST', socket: {} } as unknown as IncomingMessage
    const sentTo = (endpoint: Call['endpoint']) =>
      asObject(
        upstreamHeaders({ request, requestId: 'r1', token: 't', endpoint } as Call, 'users:1', untrusting),
      )['cookie']

    expect(sentTo({ takesCookies: true } as Call['endpoint'])).toBe('__Host-sessionid=s; csrftoken=c')
    expect(sentTo({ takesCookies: false } as Call['endpoint'])).toBeUndefined()
    expect(sentTo(null)).toBeUndefined()
  })

  test('use the entry of a trusted proxy, and no entry before it', () => {
    const forwarded = { 'x-forwarded-for': '6.6.6.6, 9.9.9.9', 'x-forwarded-proto': 'https' }
    const headers = sent({ host: 'inner', 'x-forwarded-host': 'chat.example', ...forwarded }, 'POST', true)
    expect(headers).toMatchObject({
      'x-forwarded-for': '9.9.9.9',
      'x-forwarded-host': 'chat.example',
      'x-forwarded-proto': 'https',
    })
  })

  test('carry the gateway’s trace context if it traces, otherwise the client’s', () => {
    const ofClient = { traceparent: 'a', tracestate: 'b' }

    expect(sent(ofClient)).toMatchObject(ofClient)
    expect(sent(ofClient, 'GET', false, { traceparent: 'c' })).toMatchObject({ traceparent: 'c' })
    expect(sent(ofClient, 'GET', false, { traceparent: 'c' })).not.toHaveProperty('tracestate')
    expect(sent({}, 'GET', false, { traceparent: 'c' })).toMatchObject({ traceparent: 'c' })
  })

  test('say that a call is over its limit, which clients cannot', () => {
    expect(sent({}, 'POST', false, null, 200)).toMatchObject({ 'x-over-call-limit': '200' })
    expect(sent({ 'x-over-call-limit': '1' })).not.toHaveProperty('x-over-call-limit')
  })

  test('leave out headers that concern one connection only', () => {
    const headers = sent({
      te: 'trailers',
      upgrade: 'h2c',
      connection: 'close, X-Mine',
      'x-mine': '1',
      accept: '*/*',
    })
    expect(headers).toMatchObject({ connection: 'keep-alive', accept: '*/*' })
    for (const name of ['te', 'upgrade', 'x-mine']) expect(headers).not.toHaveProperty(name)
  })

  test.each([
    ['POST', { 'content-length': '5' }, { 'content-length': '5' }],
    ['POST', { 'transfer-encoding': 'chunked' }, { 'transfer-encoding': 'chunked' }],
    ['DELETE', {}, { 'content-length': '0' }],
    ['GET', { 'content-length': '5' }, {}],
    ['GET', { 'transfer-encoding': 'chunked' }, {}],
  ])('say of the body of a %s with %j: %j', (method, headers, expected) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = sent(headers, method)
    expect({
      ...(length && { 'content-length': length }),
      ...(encoding && { 'transfer-encoding': encoding }),
    }).toEqual(expected)
  })
})

test('headers to the client are the common ones and those of the answer', () => {
  const raw = ['Content-Type', 'text/plain', 'Connection', 'keep-alive', 'Keep-Alive', 'timeout=75']
  expect(asObject(downstreamHeaders(raw, ['x-request-id', 'r1']))).toEqual({
    'x-request-id': 'r1',
    'content-type': 'text/plain',
  })
})
