import { createHash, createHmac } from 'node:crypto'
import { serverVersion } from '@tms/contracts'
import { OutwardCallError, type PostOutward } from '@tms/service-kit'
import { retryAfterOf } from './retry-after.ts'

/**
 * Why there is no success: the service can't be reached, has failed, doesn't know the installation with its key, or
 * doesn't want to.
 */
export class PushRelayError extends Error {
  readonly fault: 'unreachable' | 'failed' | 'unregistered' | 'refused'
  /** The service's code of a refusal; null if it has none. */
  readonly code: string | null
  /** The status of its answer; null if there is none. */
  readonly status: number | null
  /** How long it wants not to be called. */
  readonly afterMs: number | null
  /** Whether it may have done what it was asked for. */
  readonly isUnclear: boolean

  constructor(
    fault: PushRelayError['fault'],
    message: string,
    { code = null, status = null, afterMs = null, isUnclear = false }: PushRelayErrorDetails = {},
  ) {
    super(message)
    this.fault = fault
    this.code = code
    this.status = status
    this.afterMs = afterMs
    this.isUnclear = isUnclear
  }
}

type PushRelayErrorDetails = Partial<Pick<PushRelayError, 'code' | 'status' | 'afterMs' | 'isUnclear'>>

/** Answers of a service, or of what stands before it, that has not begun. */
const NOT_BEGUN = [429, 502, 503]
/** No connection, so it has got nothing. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/** What a relay service takes devices for. */
export type RelayedService = 'apns' | 'fcm'

const TOKEN_KINDS = { apns: 1, fcm: 2 } as const satisfies Record<RelayedService, number>

export interface RelayedDevice {
  readonly service: RelayedService
  readonly token: string
}

/** An organization as it is reported to the service. */
export interface ReportedRealm {
  readonly realm_id: number
  readonly name: string
  readonly url: string
  readonly is_active: boolean
}

/** What the service says about an organization. */
export interface RelayState {
  readonly can_push: boolean
  readonly expected_end_timestamp: number | null
}

/** A notification for all devices of a user, as the service hands it on. */
export interface RelayedNotice {
  readonly realmId: number
  readonly userId: number
  readonly gcm_payload: Readonly<Record<string, string>>
  readonly gcm_options: { readonly priority: 'high' | 'normal' }
  readonly apns_payload: Readonly<Record<string, unknown>>
  /** The tokens of the user's devices. */
  readonly tokens: Readonly<Record<RelayedService, readonly string[]>>
}

export interface RelayedAnswer {
  /** Tokens that the service no longer knows. */
  readonly gone: Readonly<Record<RelayedService, readonly string[]>>
  readonly state: RelayState | null
}

/** What a client registers of itself at the service: all in base64. */
export interface SealedRegistration {
  readonly tokenId: string
  /** The service's, that the token is sealed for. */
  readonly publicKey: string
  readonly sealed: string
}

/** A notification for one client; the service adds the token, and an Apple device's app. */
export type SealedNotice =
  | {
      readonly token_id: string
      readonly fcm_priority: 'high' | 'normal'
      readonly payload: EncryptedPayload
    }
  | {
      readonly token_id: string
      readonly http_headers: {
        readonly apns_priority: 5 | 10
        readonly apns_push_type: 'alert' | 'background'
      }
      readonly payload: EncryptedPayload & { readonly aps: Readonly<Record<string, unknown>> }
    }

interface EncryptedPayload {
  readonly push_key_id: number
  readonly encrypted_data: string
}

export interface SealedAnswer {
  /** IDs of tokens that the service no longer knows. */
  readonly gone: readonly string[]
  readonly state: RelayState | null
}

/** Calls of a push relay service. All throw `PushRelayError`. */
export interface PushRelay {
  readonly url: string
  readonly organization: string
  /** The host of the installation. */
  readonly hostname: string
  /** Registers the installation, or changes what it registered. */
  registerServer(registration: {
    readonly contactEmail: string
    readonly newKey: string | null
  }): Promise<void>
  deactivateServer(): Promise<void>
  /**
   * Reports the organizations; returns what the service says about them, by their IDs: that it sends nothing for those
   * that it leaves out.
   */
  report(realms: readonly ReportedRealm[]): Promise<ReadonlyMap<number, RelayState>>
  register(
    owner: { readonly realmId: number; readonly userId: number },
    device: RelayedDevice & { readonly appId: string | null },
  ): Promise<void>
  unregister(userId: number, device: RelayedDevice): Promise<void>
  notify(notice: RelayedNotice): Promise<RelayedAnswer>
  /**
   * Registers the token that a client sealed for the service. There is no call that removes it: the service sends to
   * those alone that a notification names.
   */
  registerSealed(realmId: number, registration: SealedRegistration): Promise<void>
  /** Sends a notification that is encrypted for one client. */
  notifySealed(realmId: number, notice: SealedNotice): Promise<SealedAnswer>
  test(
    owner: { readonly realmId: number; readonly userId: number },
    device: RelayedDevice,
    fields: Readonly<Record<string, string | number>>,
  ): Promise<void>
}

/** The state of an organization that the service doesn't know. */
export const SENDS_NOTHING: RelayState = { can_push: false, expected_end_timestamp: null }

type Body = Readonly<Record<string, unknown>>

/** Creates the client of a push relay service for an installation that is known there by `organization` and `key`. */
export function createPushRelay({
  url,
  organization,
  key,
  hostname,
  post,
  now,
}: {
  readonly url: string
  readonly organization: string
  readonly key: string
  readonly hostname: string
  readonly post: PostOutward
  readonly now: () => Date
}): PushRelay {
  const authorization = `Basic ${Buffer.from(`${organization}:${key}`).toString('base64')}`
  const uuidOf = (kind: 'realm' | 'user', id: number) => nameUuid(organization, `${kind} ${id}`)
  const call = async (path: string, body: string, type: string, isKnown = true): Promise<Body> => {
    const answer = await post({
      url: new URL(`/api/v1/remotes/${path}`, url).href,
      headers: {
        'content-type': type,
        'user-agent': `ZulipServer/${serverVersion.version}`,
        ...(isKnown && { authorization }),
      },
      body,
    }).catch((err: unknown) => {
      const reason = err instanceof Error ? err.message : 'unknown'
      const isUnclear = !(err instanceof OutwardCallError && NOT_CONNECTED.includes(err.code ?? ''))
      throw new PushRelayError('unreachable', `The push relay service does not answer: ${reason}`, {
        isUnclear,
      })
    })
    const read = readBody(answer.body)
    if (answer.status === 200 && read !== null) return read
    const afterMs = retryAfterOf(answer.headers, now())
    const said = `The push relay service answered ${answer.status}`
    const { status } = answer
    const code = typeof read?.['code'] === 'string' ? read['code'] : null
    const full = `${said}: ${[code, read?.['msg']].filter(Boolean).join(', ')}`
    if (status === 401 || code === 'INVALID_ZULIP_SERVER')
      throw new PushRelayError('unregistered', full, { code, status, afterMs })
    if (status === 429 || status >= 500 || read === null)
      throw new PushRelayError('failed', said, {
        ...{ status, afterMs, isUnclear: (status === 200 || status >= 500) && !NOT_BEGUN.includes(status) },
      })
    throw new PushRelayError('refused', full, { code, status })
  }
  const callWithForm = (
    path: string,
    fields: Readonly<Record<string, string | number | null>>,
    isKnown = true,
  ) => {
    const given = Object.entries(fields).filter(([, value]) => value !== null)
    const form = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
    return call(path, form.toString(), 'application/x-www-form-urlencoded', isKnown)
  }
  const callWithJson = (path: string, body: Body) => call(path, JSON.stringify(body), 'application/json')
  const ownerFields = ({ realmId, userId }: { readonly realmId: number; readonly userId: number }) => ({
    ...{ user_id: userId, user_uuid: uuidOf('user', userId), realm_uuid: uuidOf('realm', realmId) },
  })

  return {
    url,
    organization,
    hostname,
    registerServer: async ({ contactEmail, newKey }) => {
      const fields = { zulip_org_id: organization, zulip_org_key: key, hostname, contact_email: contactEmail }
      await callWithForm('server/register', { ...fields, new_org_key: newKey }, false)
    },
    deactivateServer: async () => {
      await callWithForm('server/deactivate', {})
    },
    report: async (realms) => {
      const ids = new Map(realms.map(({ realm_id }) => [uuidOf('realm', realm_id), realm_id]))
      const answer = await callWithForm('server/analytics', {
        // What people do isn't reported.
        ...{ realm_counts: '[]', installation_counts: '[]', realmauditlog_rows: '[]' },
        realms: JSON.stringify(
          realms.map((realm) => describeRealm(realm, uuidOf('realm', realm.realm_id), key)),
        ),
        version: JSON.stringify(serverVersion.version),
        merge_base: JSON.stringify(serverVersion.mergeBase),
        api_feature_level: serverVersion.featureLevel,
      })
      const states = (answer['realms'] ?? {}) as Readonly<Record<string, unknown>>
      return new Map([...ids].map(([uuid, id]) => [id, readState(states[uuid]) ?? SENDS_NOTHING]))
    },
    register: async (owner, { service, token, appId }) => {
      const fields = { ...ownerFields(owner), token, token_kind: TOKEN_KINDS[service], ios_app_id: appId }
      await callWithForm('push/register', fields)
    },
    unregister: async (userId, { service, token }) => {
      const user = { user_id: userId, user_uuid: uuidOf('user', userId) }
      await callWithForm('push/unregister', { ...user, token, token_kind: TOKEN_KINDS[service] })
    },
    notify: async ({ realmId, userId, tokens, ...payloads }) => {
      const devices = { android_devices: tokens.fcm, apple_devices: tokens.apns }
      const owner = ownerFields({ realmId, userId })
      const answer = await callWithJson('push/notify', { ...owner, ...payloads, ...devices })
      const deleted = answer['deleted_devices'] as Readonly<Record<string, unknown>> | undefined
      return {
        gone: { fcm: readTokens(deleted?.['android_devices']), apns: readTokens(deleted?.['apple_devices']) },
        state: readState(answer['realm']),
      }
    },
    registerSealed: async (realmId, { tokenId, publicKey, sealed }) => {
      await callWithForm('push/e2ee/register', {
        ...{ realm_uuid: uuidOf('realm', realmId), token_id: tokenId },
        ...{ bouncer_public_key: publicKey, encrypted_push_registration: sealed },
      })
    },
    notifySealed: async (realmId, notice) => {
      const answer = await callWithJson('push/e2ee/notify', {
        ...{ realm_uuid: uuidOf('realm', realmId), push_requests: [notice] },
      })
      const state = readState(answer['realm_push_status']) ?? readState(answer['realm'])
      return { gone: readTokens(answer['delete_token_ids']), state }
    },
    test: async (owner, { service, token }, base_payload) => {
      const fields = { ...ownerFields(owner), token, token_kind: TOKEN_KINDS[service], base_payload }
      await callWithJson('push/test_notification', fields)
    },
  }
}

/** An organization with what the service must know of it, and a secret by which it is recognized elsewhere. */
const describeRealm = ({ realm_id, name, url, is_active }: ReportedRealm, uuid: string, key: string) => ({
  ...{ id: realm_id, uuid, name, url, host: new URL(url).host, deactivated: !is_active },
  uuid_owner_secret: `zuuid_${createHmac('sha256', key).update(`owner ${uuid}`).digest('hex')}`,
  // The service asks for a time and has no use for it.
  ...{ date_created: 0, org_type: 0, authentication_methods: {}, is_system_bot_realm: false },
})

function readBody(text: string): Body | null {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Body) : null
  } catch {
    return null
  }
}

/** Later times are none in seconds, and no database of ours keeps them. */
const MAX_SECONDS = 2 ** 31 - 1

function readState(value: unknown): RelayState | null {
  const { can_push, expected_end_timestamp: end } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof can_push !== 'boolean') return null
  const isTime = typeof end === 'number' && end >= 0 && end <= MAX_SECONDS
  return { can_push, expected_end_timestamp: isTime ? Math.trunc(end) : null }
}

const readTokens = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((token): token is string => typeof token === 'string') : []

/** The UUID (version 5) of a name, the same whenever it is asked for. */
export function nameUuid(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
  const bytes = hash.digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
