import { endpoints, internal, type Role } from '@tms/contracts'
import { createInternalClient, createInternalTokenSource } from '@tms/service-kit'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import type { At } from './change-row.ts'

const { getChannelId, subscribe } = endpoints.messaging

/** A small organization for a group of rows, and its accounts at each gateway. */
export interface Environment {
  readonly realmId: number
  readonly hostname: string
  readonly owner: ApiClient
  readonly ownerPassword: string
  /** Without credentials. */
  readonly anonymous: ApiClient
  /** Clients at a gateway, by its number. */
  at(gateway: number): At
  /** A unique name. */
  newName(prefix: string): string
  createUser(options?: { readonly role?: Role; readonly name?: string }): Promise<ApiClient>
  /** Creates a channel with subscribers; the first one is its creator. */
  createChannel(
    subscribers: readonly [ApiClient, ...ApiClient[]],
    options?: { readonly isPrivate?: boolean },
  ): Promise<{ readonly id: number; readonly name: string }>
  /** Deactivates or reactivates the organization, as operators do. */
  setActivity(isActive: boolean): Promise<void>
}

let organizations = 0
let names = 0

/** Creates the organization of a group of rows. */
export async function createEnvironment({ system, createOrganization }: TestSystem): Promise<Environment> {
  const subdomain = `lane-${++organizations}`
  const host = `${subdomain}.${system.externalHost}`
  const organization = await createOrganization(subdomain)
  const call = createInternalClient(
    system.urls,
    createInternalTokenSource('tests', system.keys.internal.privateKey),
  )
  const clients = new Map<string, ApiClient>()
  const at = (gateway: number) => (client: ApiClient) => {
    const key = `${gateway} ${client.account?.email} ${client.account?.apiKey}`
    const known = clients.get(key)
    if (known) return known
    const url = system.urls.gateway[gateway % system.urls.gateway.length] ?? system.baseUrl
    const created = new ApiClient(url, client.account, undefined, host)
    clients.set(key, created)
    return created
  }
  const newName = (prefix: string) => `${prefix} ${++names}`
  return {
    realmId: organization.realmId,
    hostname: new URL(`http://${host}`).hostname,
    owner: organization.owner,
    ownerPassword: organization.ownerPassword,
    anonymous: organization.anonymous,
    at,
    newName,
    createUser: ({ role, name = newName('Person') } = {}) =>
      organization.createUser(name, role === undefined ? {} : { role }),
    createChannel: async ([creator, ...others], { isPrivate = false } = {}) => {
      const name = newName('channel')
      await creator.call(subscribe, {
        subscriptions: [{ name }],
        principals: [creator, ...others].map(({ userId }) => userId),
        invite_only: isPrivate,
      })
      return { id: (await creator.call(getChannelId, { stream: name })).stream_id, name }
    },
    setActivity: async (isActive) =>
      void (await call(internal.realm.setRealmActivity, { string_id: subdomain, is_active: isActive })),
  }
}
