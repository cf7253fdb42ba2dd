import type { Auth, Method, ServiceName } from './endpoint.ts'

/** What an API token may be allowed to do; each scope stands for itself. */
export const tokenScopes = ['read', 'send', 'administer'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** The scope that an endpoint needs of an API token; `none`: it takes the API key alone. */
export type TokenAccess = TokenScope | 'none'

/**
 * A parameter that says which channel a call is about: the recipient of a message, a narrow, a message, messages, a channel,
 * or a channel by its name.
 */
export type ChannelParameter = 'to' | 'narrow' | 'message_id' | 'messages' | 'stream_id' | 'stream'

interface Declared {
  readonly owner: ServiceName
  readonly method: Method
  readonly auth: Auth
}

/**
 * The scope of an endpoint that declares none; null if it must declare one. What changes accounts and organizations
 * needs `administer`; messaging has calls of both kinds, so its changes are declared one by one.
 */
export function defaultTokenAccess({ owner, method, auth }: Declared): TokenAccess | null {
  if (auth === 'administrator' || auth === 'owner') return 'administer'
  if (auth === 'user-by-key') return 'send'
  if (method === 'GET') return 'read'
  return owner === 'users' || owner === 'realm' ? 'administer' : null
}
