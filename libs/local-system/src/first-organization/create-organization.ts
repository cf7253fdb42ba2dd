import { createInternalToken } from './internal-token.ts'
import { ownerEmail } from './owner-password.ts'
import { post } from './post.ts'

type ServiceUrls = { gateway: string; users: string; realm: string }

export type OrganizationOptions = {
  /** Base URLs to call. */
  urls: ServiceUrls
  /** Its subdomain; empty for the installation's default organization. */
  subdomain: string
  name: string
  /** Where clients reach it, which may be another URL than we do; without a slash at the end. */
  address: string
  internalPrivateKey: string
  owner: { email: string; fullName: string; password: string }
}

export type FirstOrganizationOptions = {
  urls: ServiceUrls
  /** Default: the gateway's own URL. */
  address?: string
  internalPrivateKey: string
  /** Of the owner; default: owner@example.com. */
  email?: string
  /** Used only when the owner doesn't exist yet. */
  password: string
}

export type Owner = { email: string; password: string; apiKey: string; userId: number }

/** The role number of an owner in the API. */
const OWNER_ROLE = 100

const channels = [
  { name: 'general', description: 'For everyone and everything' },
  { name: 'random', description: 'What fits nowhere else' },
  { name: 'announcements', description: 'News that concern everyone' },
]

/** Creates the installation's default organization, as `createOrganization` does. */
export async function createFirstOrganization(options: FirstOrganizationOptions): Promise<Owner> {
  const { urls, internalPrivateKey, password, address = urls.gateway, email = ownerEmail } = options
  const owner = { email, fullName: 'Organization Owner', password }
  const name = 'Team Messaging'
  const { owner: created } = await createOrganization({
    urls,
    subdomain: '',
    name,
    address,
    internalPrivateKey,
    owner,
  })
  return created
}

/**
 * Creates an organization, its owner and the channels that new users get. What exists already stays as it is, so
 * it can run again. Throws with what a service answered.
 */
export async function createOrganization(
  options: OrganizationOptions,
): Promise<{ realmId: number; owner: Owner }> {
  const { urls, subdomain, name, address, owner } = options
  const internally = {
    authorization: `Bearer ${createInternalToken(options.internalPrivateKey, Date.now())}`,
  }
  const realm = await post(`${urls.realm}/internal/realms`, {
    headers: internally,
    json: { string_id: subdomain, name, url: address },
  })
  const realmId = numberField(realm, 'realm_id')
  const { email, fullName, password } = owner
  const user = await post(`${urls.users}/internal/users`, {
    headers: internally,
    json: { realm_id: realmId, email, password, full_name: fullName, role: OWNER_ROLE },
  })
  const created = {
    email,
    password,
    apiKey: textField(user, 'api_key'),
    userId: numberField(user, 'user_id'),
  }
  await createDefaultChannels(urls.gateway, address, created)
  return { realmId, owner: created }
}

async function createDefaultChannels(gateway: string, address: string, owner: Owner): Promise<void> {
  const credentials = Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')
  await post(`${gateway}/api/v1/users/me/subscriptions`, {
    // The host says which organization is meant.
    headers: { authorization: `Basic ${credentials}`, host: new URL(address).host },
    form: { subscriptions: JSON.stringify(channels), is_default_stream: 'true' },
  })
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
