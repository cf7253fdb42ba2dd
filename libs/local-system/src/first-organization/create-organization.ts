import type { Tls } from '../servers/tls-files.ts'
import { createDefaultChannels } from './default-channels.ts'
import { createInternalToken } from './internal-token.ts'
import { ownerEmail } from './owner-password.ts'
import { RefusedError, requestService } from './request-service.ts'

type ServiceUrls = { gateway: string; users: string; realm: string }

export type OrganizationOptions = {
  /** Base URLs to call. */
  urls: ServiceUrls
  /** Its subdomain; empty for the installation's default organization. */
  subdomain: string
  name: string
  /** URL that clients use, which may differ from the one that we call; without a trailing slash. */
  address: string
  internalPrivateKey: string
  /** TLS settings for `https:` URLs. */
  tls?: Tls | undefined
  owner: { email: string; fullName: string; password: string }
}

export type FirstOrganizationOptions = {
  urls: ServiceUrls
  /** Default: the gateway's own URL. */
  address?: string
  internalPrivateKey: string
  /** TLS settings for `https:` URLs. */
  tls?: Tls
  /** The owner's address; default: owner@example.com. */
  email?: string
  /** Used only if the owner doesn't exist yet. */
  password: string
}

export type Owner = {
  email: string
  /** An existing account may have another password by now. */
  password: string
  apiKey: string
  userId: number
  /** Whether the account was created just now. */
  isNew: boolean
}

/**
 * Creates the installation's default organization, as `createOrganization` does. Null if it exists already with
 * users, and none of them has the owner's address.
 */
export async function createFirstOrganization(options: FirstOrganizationOptions): Promise<Owner | null> {
  const { urls, internalPrivateKey, tls, password, address = urls.gateway, email = ownerEmail } = options
  const owner = { email, fullName: 'Organization Owner', password }
  const name = 'Team Messaging'
  const asked = { urls, subdomain: '', name, address, internalPrivateKey, tls, owner }
  const created = await createOrganization(asked)
  return created.owner
}

/**
 * Creates an organization, its first owner and the default channels. Whatever exists already stays as it is, so it
 * can run again; if there are users, but not that owner, nobody is added. Throws the error that a service answered.
 */
export async function createOrganization(
  options: OrganizationOptions,
): Promise<{ realmId: number; owner: Owner | null }> {
  const { urls, subdomain, name, address, owner, tls } = options
  const headers = {
    authorization: `Bearer ${createInternalToken(options.internalPrivateKey, Date.now())}`,
  }
  const realm = await requestService({
    serviceName: 'realm service',
    url: `${urls.realm}/internal/realms`,
    headers,
    tls,
    body: { json: { string_id: subdomain, name, url: address } },
  })
  const realmId = numberField(realm, 'realm_id')
  const { email, fullName, password } = owner
  const answer = await requestService({
    serviceName: 'users service',
    url: `${urls.users}/internal/first-owner`,
    headers,
    tls,
    body: { json: { realm_id: realmId, email, password, full_name: fullName } },
  })
  if (answer['owner'] === null) return { realmId, owner: null }
  const account = answer['owner'] as Record<string, unknown>
  const created = {
    email,
    password,
    apiKey: textField(account, 'api_key'),
    userId: numberField(account, 'user_id'),
    isNew: account['is_new'] === true,
  }
  await createDefaultChannels({ gateway: urls.gateway, address, owner: created, tls }).catch(
    (err: unknown) => {
      // The former owner may have left the organization, which belongs to its users by then.
      const hasLeft = !created.isNew && err instanceof RefusedError && err.status < 500
      if (!hasLeft) throw err
    },
  )
  return { realmId, owner: created }
}

function numberField(answer: Record<string, unknown>, name: string): number {
  const value = answer[name]
  if (typeof value !== 'number') throw new Error(`no number ${name} in ${JSON.stringify(answer)}`)
  return value
}

function textField(answer: Record<string, unknown>, name: string): string {
  const value = answer[name]
  if (typeof value !== 'string') throw new Error(`no text ${name} in ${JSON.stringify(answer)}`)
  return value
}
