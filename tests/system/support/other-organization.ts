import { request } from 'node:http'
import { internal, Role } from '@tms/contracts'
import { createInternalClient, createInternalTokenSource, type InternalClient } from '@tms/service-kit'
import { type Account, ApiClient, type TestSystem } from '@tms/test-kit'

/** An organization beside the first, with clients that address it by its host name. */
export interface OtherOrganization {
  readonly realmId: number
  /** Subdomain. */
  readonly stringId: string
  /** Of its URL, and so of its bots' addresses. */
  readonly hostname: string
  readonly owner: ApiClient
  readonly anonymous: ApiClient
  createUser(options?: { role?: Role }): Promise<ApiClient>
  /** The account's client at another gateway, or none's. */
  clientAt(gatewayUrl: string, account: Account | null): ApiClient
  /** What operators do. */
  reactivate(): Promise<void>
}

let organizations = 0

/** Creates an organization with an owner. */
export async function newOrganization({ system, baseUrl }: TestSystem): Promise<OtherOrganization> {
  const stringId = `other-${++organizations}`
  const host = `${stringId}.${new URL(baseUrl).host}`
  const hostname = `${stringId}.example.com`
  const call: InternalClient = createInternalClient(
    system.urls,
    createInternalTokenSource('tests', system.keys.internal.privateKey),
  )
  const { realm_id } = await call(internal.realm.ensureRealm, {
    string_id: stringId,
    name: `Other ${organizations}`,
    // A number at the end of a host name that is none would make it no URL.
    url: `http://${hostname}`,
  })
  const clientAt = (url: string, account: Account | null) => new ClientAtHost(url, account, host)
  let users = 0
  const createUser = async ({ role = Role.member }: { role?: Role } = {}) => {
    const full_name = `User ${++users} of ${stringId}`
    const email = `user-${users}@${stringId}.example.com`
    const { user_id, api_key } = await call(internal.users.ensureUser, {
      ...{ realm_id, email, full_name, role },
      password: passwordOf(email),
    })
    return clientAt(baseUrl, { email, apiKey: api_key, userId: user_id })
  }
  return {
    realmId: realm_id,
    stringId,
    hostname,
    owner: await createUser({ role: Role.owner }),
    anonymous: clientAt(baseUrl, null),
    createUser,
    clientAt,
    reactivate: async () => void (await call(internal.realm.reactivateRealm, { string_id: stringId })),
  }
}

/** The password of a user of another organization. */
export function passwordOf(email: string): string {
  return `password of ${email}`
}

/** A client that reaches the system by an address, and says another host: no name server knows it. */
class ClientAtHost extends ApiClient {
  readonly #host: string

  constructor(baseUrl: string, account: Account | null, host: string) {
    super(baseUrl, account)
    this.#host = host
  }

  /** Like the platform's own, which doesn't let anyone say the host. */
  override async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const { signal, ...others } = init
    const asked = new Request(this.baseUrl + path, others)
    if (this.account) {
      const { email, apiKey } = this.account
      asked.headers.set('authorization', `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`)
    }
    const body = Buffer.from(await asked.arrayBuffer())
    const headers = { ...Object.fromEntries(asked.headers), host: this.#host, 'content-length': body.length }
    return new Promise((resolve, reject) => {
      const sent = request(asked.url, { method: asked.method, headers, ...(signal ? { signal } : {}) })
      sent.on('error', reject)
      sent.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const answered = new Headers()
          for (const [name, value] of Object.entries(response.headers)) answered.set(name, String(value))
          resolve(
            new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0, headers: answered }),
          )
        })
      })
      sent.end(body)
    })
  }
}
