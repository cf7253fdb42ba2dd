import { createInternalToken } from './internal-token.ts'
import { ownerEmail } from './owner-password.ts'

export type FirstOrganizationOptions = {
  /** Base URLs to call. */
  urls: { gateway: string; users: string; realm: string }
  /** The organization's address, where clients reach the gateway by another than we do; without a slash at the end. */
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

const REQUEST_TIMEOUT_MS = 15_000

const channels = [
  { name: 'general', description: 'For everyone and everything' },
  { name: 'random', description: 'What fits nowhere else' },
  { name: 'announcements', description: 'News that concern everyone' },
]

/**
 * Creates the first organization, its owner and the channels that new users get, and answers the owner. What
 * exists already stays as it is, so it can run at every start.
 */
export async function createFirstOrganization(options: FirstOrganizationOptions): Promise<Owner> {
  const { urls, password, address = urls.gateway, email = ownerEmail } = options
  const post = (url: string, body: unknown) => postInternal(url, body, options.internalPrivateKey)

  const realm = await post(`${urls.realm}/internal/realms`, {
    string_id: '',
    name: 'Team Messaging',
    url: address,
  })
  const user = await post(`${urls.users}/internal/users`, {
    realm_id: numberField(realm, 'realm_id'),
    email,
    password,
    full_name: 'Organization Owner',
    role: OWNER_ROLE,
  })
  const owner = {
    email,
    password,
    apiKey: textField(user, 'api_key'),
    userId: numberField(user, 'user_id'),
  }
  await createDefaultChannels(urls.gateway, owner)
  return owner
}

async function createDefaultChannels(baseUrl: string, owner: Owner): Promise<void> {
  await request(`${baseUrl}/api/v1/users/me/subscriptions`, {
    headers: { authorization: `Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}` },
    body: new URLSearchParams({ subscriptions: JSON.stringify(channels), is_default_stream: 'true' }),
  })
}

function postInternal(url: string, body: unknown, privateKey: string): Promise<Record<string, unknown>> {
  return request(url, {
    headers: {
      authorization: `Bearer ${createInternalToken(privateKey, Date.now())}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
}

async function request(
  url: string,
  init: { headers: Record<string, string>; body: string | URLSearchParams },
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    ...init,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as Record<string, unknown>
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
