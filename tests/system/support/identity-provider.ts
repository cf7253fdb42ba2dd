import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const CLIENT = { client_id: 'chat', client_secret: 'a secret of the chat' }

/** What the provider says about somebody. */
export interface Claims {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: readonly string[]
}

/** A real OpenID provider, at which a browser signs in at once, as the person that the test names. */
export interface IdentityProvider {
  readonly issuer: string
  /** Admits the client that is sent back to these URLs. */
  admit(redirectUris: readonly string[]): void
  /** The person who signs in next, by ID; null if they give up. */
  person: string | null
  readonly people: Map<string, Claims>
  stop(): void
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  let serve = (_: IncomingMessage, response: ServerResponse): void => void response.writeHead(503).end()
  const server = createServer((request, response) => serve(request, response))
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own: IdentityProvider = {
    issuer,
    person: null,
    people: new Map(),
    admit: (redirectUris) => {
      const provider = createProvider(own, redirectUris)
      const callback = provider.callback()
      serve = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return callback(request, response)
        const { person } = own
        const result = person === null ? { error: 'access_denied' } : { login: { accountId: person } }
        void provider.interactionFinished(request, response, result)
      }
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return own
}

function createProvider({ issuer, people }: IdentityProvider, redirectUris: readonly string[]): Provider {
  return new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: redirectUris, token_endpoint_auth_method: 'client_secret_post' }],
    cookies: { keys: ['a key of the provider'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: async (_, id) =>
      people.has(id) ? { accountId: id, claims: () => ({ sub: id, ...people.get(id) }) } : undefined,
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}
