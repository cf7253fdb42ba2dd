import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { blake2b } from '@noble/hashes/blake2.js'
import nacl from 'tweetnacl'
import { newSealKeys, type SealKeyPair } from './push-app.ts'
import { until } from './until.ts'

const ORGANIZATION = '6cde5f7a-1f7e-4978-9716-49f69ebfc9fe'
const KEY = 'k'.repeat(64)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const KINDS = { '1': 'apns', '2': 'fcm' } as const

interface Answer {
  readonly status: number
  readonly body?: Readonly<Record<string, unknown>>
  /** In place of a body: what isn't JSON. */
  readonly text?: string
  readonly headers?: Record<string, string>
}

type Fields = Readonly<Record<string, unknown>>

/** What a client sealed. */
interface Opened {
  readonly token: string
  readonly token_kind: 'apns' | 'fcm'
  readonly timestamp: number
  readonly ios_app_id: string | null
}

const idOf = (token: string) => createHash('sha256').update(token).digest().subarray(0, 8).toString('base64')

/** Opens a sealed box of libsodium; null if it isn't one for these keys. */
function open(text: string, { publicKey, privateKey }: SealKeyPair): Opened | null {
  const [bytes, own] = [Buffer.from(text, 'base64'), Buffer.from(publicKey, 'base64')]
  const sender = bytes.subarray(0, 32)
  if (sender.length < 32) return null
  const nonce = blake2b(Buffer.concat([sender, own]), { dkLen: 24 })
  const opened = nacl.box.open(bytes.subarray(32), nonce, sender, Buffer.from(privateKey, 'base64'))
  return opened && (JSON.parse(Buffer.from(opened).toString()) as Opened)
}

/** A notification that the service got for a user. */
export interface RelayedPush {
  readonly gcm_payload: Readonly<Record<string, string>>
  readonly gcm_options: { readonly priority: string }
  readonly apns_payload: Fields & { readonly custom: { readonly zulip: Fields } }
  readonly android_devices: readonly string[]
  readonly apple_devices: readonly string[]
}

/** A notification that the service got for one client, as it hands it on, with the app of an Apple device. */
export interface SealedPush {
  readonly kind: 'apns' | 'fcm'
  readonly appId: string | null
  readonly body: Fields
  readonly headers: Fields
}

/** Of what a client sealed. */
const MAX_AGE_SECONDS = 86_400

/**
 * A stand-in for a push relay service, which checks protocol, authentication and sizes, and opens what clients sealed for
 * it.
 */
export async function startPushRelayService() {
  const keys = newSealKeys()
  const clients = new Map<string, Opened>()
  const sealed = new Map<string, SealedPush[]>()
  const faults: string[] = []
  const devices = new Map<string, { readonly user: string; readonly appId: string | null }>()
  const pushes = new Map<number, RelayedPush[]>()
  const tests: { readonly token: string; readonly base: Fields }[] = []
  const reports: (readonly Fields[])[] = []
  const answers = new Map<string, Answer[]>()
  const lateAnswers = new Map<string, Answer[]>()
  const refusedRealms = new Set<number>()
  const calls = new Map<string, number[]>()
  const held = new Map<string, { readonly released: Promise<void>; waiting: number }>()
  let registration: Readonly<Record<string, string>> | null = null
  let state: Fields = { can_push: true, expected_end_timestamp: null }
  let realms: readonly Fields[] = []

  const check = (isRight: boolean, what: string) => {
    if (!isRight) throw new Error(what)
  }
  const nameOf = ({ token_kind, token }: Fields) =>
    `${KINDS[String(token_kind) as keyof typeof KINDS]} ${String(token)}`
  const checkUser = ({ user_id, user_uuid }: Fields) => {
    check(Number.isInteger(Number(user_id)) && UUID.test(String(user_uuid)), 'a user has an ID and a UUID')
  }
  const checkRealm = ({ realm_uuid }: Fields) => check(UUID.test(String(realm_uuid)), 'no UUID of a realm')
  const refuse = (code: string, status = 400): Answer => ({
    status,
    body: { result: 'error', msg: code, code },
  })

  const checkSealed = (request: Fields, { token_kind: kind, ios_app_id: appId }: Opened): SealedPush => {
    const { push_key_id, encrypted_data, ...rest } = request['payload'] as Fields
    check(Number.isInteger(push_key_id) && typeof encrypted_data === 'string', 'no encrypted payload')
    if (kind === 'fcm') {
      check(['high', 'normal'].includes(String(request['fcm_priority'])), 'wrong priority')
      check(Object.keys(rest).length === 0, 'an Android app gets nothing else')
      const data = { push_key_id: String(push_key_id), encrypted_data }
      check(Buffer.byteLength(JSON.stringify(data)) <= 4_096, 'too large')
      return { kind, appId, body: { data }, headers: { priority: request['fcm_priority'] } }
    }
    const headers = request['http_headers'] as Fields
    const form = `${String(headers['apns_push_type'])} ${String(headers['apns_priority'])}`
    check(['alert 10', 'background 5'].includes(form), 'wrong headers')
    check(Object.keys(rest).join() === 'aps', 'an Apple app gets `aps` beside it')
    const body = request['payload'] as Fields
    check(Buffer.byteLength(JSON.stringify(body)) <= 4_096, 'too large')
    return { kind, appId, body, headers }
  }

  const routes: Readonly<Record<string, (fields: Fields) => Answer>> = {
    'server/register': (fields) => {
      const { zulip_org_id, zulip_org_key, hostname, contact_email } = fields as Record<string, string>
      check(zulip_org_id === ORGANIZATION && zulip_org_key === KEY, 'wrong credentials')
      check(hostname !== undefined && String(contact_email).includes('@'), 'no host, or no address')
      registration = fields as Record<string, string>
      return { status: 200 }
    },
    'server/deactivate': () => {
      registration = null
      return { status: 200 }
    },
    'server/analytics': (fields) => {
      for (const name of ['realm_counts', 'installation_counts', 'realmauditlog_rows'])
        check(String(fields[name]) === '[]', `${name} says what people do`)
      realms = JSON.parse(String(fields['realms'])) as Fields[]
      for (const { uuid, url, name, host, uuid_owner_secret } of realms)
        check(
          UUID.test(String(uuid)) &&
            [url, name, host, uuid_owner_secret].every((one) => typeof one === 'string'),
          'a realm is incomplete',
        )
      reports.push(realms)
      return { status: 200, body: { realms: Object.fromEntries(realms.map(({ uuid }) => [uuid, state])) } }
    },
    'push/register': (fields) => {
      checkUser(fields)
      checkRealm(fields)
      check(Number(fields['token_kind']) === 2 || fields['ios_app_id'] !== '', 'an Apple device names no app')
      devices.set(nameOf(fields), {
        user: String(fields['user_uuid']),
        appId: (fields['ios_app_id'] as string | undefined) ?? null,
      })
      return { status: 200 }
    },
    'push/unregister': (fields) => {
      checkUser(fields)
      return devices.delete(nameOf(fields)) ? { status: 200 } : refuse('BAD_REQUEST')
    },
    'push/notify': (fields) => {
      checkUser(fields)
      checkRealm(fields)
      const realm = realms.find(({ uuid }) => uuid === fields['realm_uuid'])
      if (!realm) return refuse('MISSING_REMOTE_REALM', 403)
      if (refusedRealms.has(Number(realm['id']))) return refuse('PUSH_NOTIFICATIONS_DISALLOWED')
      const push = fields as unknown as RelayedPush
      check(
        Object.values(push.gcm_payload).every((value) => typeof value === 'string'),
        'not a string',
      )
      check(['high', 'normal'].includes(push.gcm_options.priority), 'wrong priority')
      for (const payload of [push.gcm_payload, push.apns_payload])
        check(Buffer.byteLength(JSON.stringify(payload)) <= 4_096, 'too large')
      const owner = Number(fields['user_id'])
      pushes.set(owner, [...(pushes.get(owner) ?? []), push])
      const unknown = (kind: string, tokens: readonly string[]) =>
        tokens.filter((token) => devices.get(`${kind} ${token}`)?.user !== fields['user_uuid'])
      return {
        status: 200,
        body: {
          total_android_devices: push.android_devices.length,
          total_apple_devices: push.apple_devices.length,
          deleted_devices: {
            android_devices: unknown('fcm', push.android_devices),
            apple_devices: unknown('apns', push.apple_devices),
          },
          realm: state,
        },
      }
    },
    'push/e2ee/register': (fields) => {
      checkRealm(fields)
      check(
        Object.keys(fields).sort().join() ===
          'bouncer_public_key,encrypted_push_registration,realm_uuid,token_id',
        'it says more, or less, of a client than it is to',
      )
      if (!realms.some(({ uuid }) => uuid === fields['realm_uuid']))
        return refuse('MISSING_REMOTE_REALM', 403)
      if (fields['bouncer_public_key'] !== keys.publicKey) return refuse('INVALID_BOUNCER_PUBLIC_KEY')
      const opened = open(String(fields['encrypted_push_registration']), keys)
      if (!opened || idOf(opened.token) !== fields['token_id']) return refuse('BAD_REQUEST')
      if (Date.now() / 1_000 - opened.timestamp > MAX_AGE_SECONDS) return refuse('REQUEST_EXPIRED')
      clients.set(String(fields['token_id']), opened)
      return { status: 200 }
    },
    'push/e2ee/notify': (fields) => {
      checkRealm(fields)
      check(Object.keys(fields).sort().join() === 'push_requests,realm_uuid', 'it says who is notified')
      const realm = realms.find(({ uuid }) => uuid === fields['realm_uuid'])
      if (!realm) return refuse('MISSING_REMOTE_REALM', 403)
      if (refusedRealms.has(Number(realm['id']))) return refuse('PUSH_NOTIFICATIONS_DISALLOWED')
      const requests = fields['push_requests'] as readonly Fields[]
      check(requests.length > 0, 'no requests')
      for (const request of requests) {
        const id = String(request['token_id'])
        const client = clients.get(id)
        if (client) sealed.set(id, [...(sealed.get(id) ?? []), checkSealed(request, client)])
      }
      const unknown = requests.map(({ token_id }) => String(token_id)).filter((id) => !clients.has(id))
      return {
        status: 200,
        body: {
          ...{ android_successfully_sent_count: 0, apple_successfully_sent_count: 0 },
          ...{ delete_token_ids: unknown, realm_push_status: state },
        },
      }
    },
    'push/test_notification': (fields) => {
      checkUser(fields)
      checkRealm(fields)
      if (!devices.has(nameOf(fields))) return refuse('INVALID_REMOTE_PUSH_DEVICE_TOKEN')
      tests.push({ token: String(fields['token']), base: fields['base_payload'] as Fields })
      return { status: 200 }
    },
  }

  const answer = (path: string, headers: IncomingHttpHeaders, text: string): Answer => {
    const next = answers.get(path)?.shift()
    if (next) return next
    const basic = `Basic ${Buffer.from(`${ORGANIZATION}:${KEY}`).toString('base64')}`
    check(/^ZulipServer\/\S+$/.test(headers['user-agent'] ?? ''), 'no version')
    if (path !== 'server/register' && (headers.authorization !== basic || registration === null))
      return refuse('INVALID_ZULIP_SERVER', 401)
    const route = routes[path]
    if (!route) throw new Error(`there is no ${path}`)
    const isJson = ['push/notify', 'push/e2ee/notify', 'push/test_notification'].includes(path)
    check((headers['content-type'] === 'application/json') === isJson, `wrong type of ${path}`)
    const done = route(isJson ? (JSON.parse(text) as Fields) : Object.fromEntries(new URLSearchParams(text)))
    return lateAnswers.get(path)?.shift() ?? done
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url?.replace('/api/v1/remotes/', '') ?? ''
    calls.set(path, [...(calls.get(path) ?? []), performance.now()])
    let reply: Answer
    try {
      reply = answer(path, request.headers, Buffer.concat(chunks).toString())
    } catch (err) {
      faults.push(`${path}: ${String(err)}`)
      reply = refuse('BAD_REQUEST')
    }
    const hold = held.get(path)
    if (hold) {
      hold.waiting++
      await hold.released
    }
    response
      .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      .end(reply.text ?? JSON.stringify(reply.body ?? { result: 'success' }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    faults,
    variables: {
      PUSH_RELAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PUSH_RELAY_ORGANIZATION: ORGANIZATION,
      PUSH_RELAY_KEY: KEY,
    },
    /** The key that clients seal their tokens for. */
    publicKey: keys.publicKey,
    tests,
    reports,
    /** Whether it knows a client by the ID of its token. */
    knowsClient: (tokenId: string) => clients.has(tokenId),
    forgetClient: (tokenId: string) => clients.delete(tokenId),
    /** What arrived for a client, once it is so much. */
    waitForSealed: async (tokenId: string, count: number): Promise<readonly SealedPush[]> => {
      await until(async () => (sealed.get(tokenId) ?? []).length >= count)
      return sealed.get(tokenId) ?? []
    },
    /** Answers from now on as if no organization were reported. */
    forgetRealms: () => {
      realms = []
    },
    registration: () => registration,
    /** Whether it knows a device, and of which app. */
    find: (kind: 'apns' | 'fcm', token: string) => devices.get(`${kind} ${token}`),
    forget: (kind: 'apns' | 'fcm', token: string) => devices.delete(`${kind} ${token}`),
    /** What arrived for a user, once it is so much. */
    waitFor: async (userId: number, count: number): Promise<readonly RelayedPush[]> => {
      await until(async () => (pushes.get(userId) ?? []).length >= count)
      return pushes.get(userId) ?? []
    },
    /** Answers the next requests of a kind in this way. */
    answerNext: (path: string, ...next: Answer[]) => {
      answers.set(path, [...(answers.get(path) ?? []), ...next])
    },
    /** When requests of a kind came, in milliseconds of this process. */
    callsOf: (path: string): readonly number[] => calls.get(path) ?? [],
    /** Does what requests of a kind want, and doesn't answer until they are released. */
    hold: (path: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const hold = { released: promise, waiting: 0 }
      held.set(path, hold)
      return {
        untilWaiting: () => until(async () => hold.waiting > 0),
        release: () => {
          held.delete(path)
          resolve()
        },
      }
    },
    /** Does what the next requests of a kind want, and answers in this way. */
    answerAfterwards: (path: string, ...next: Answer[]) => {
      lateAnswers.set(path, [...(lateAnswers.get(path) ?? []), ...next])
    },
    say: (next: Fields) => {
      state = next
    },
    refusePushesOf: (realmId: number, isRefused: boolean) => {
      if (isRefused) refusedRealms.add(realmId)
      else refusedRealms.delete(realmId)
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
