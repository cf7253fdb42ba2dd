import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Provider, { interactionPolicy } from 'oidc-provider'
import { renderLogInPage } from '../log-in-page.ts'
import type { ExamplePerson } from '../people.ts'
import { readForm } from '../read-form.ts'
import type { ProviderSettings } from './settings.ts'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

const INTERACTION_PATH = '/interaction/'

/** What answers the provider's requests. */
export function createProvider(settings: ProviderSettings): Serve {
  const { issuer, client, people, cookieKey } = settings
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: client.id, client_secret: client.secret, redirect_uris: [client.redirectUri] },
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: [cookieKey] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'position'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `${INTERACTION_PATH}${uid}`, policy: createPolicy() },
    findAccount: async (_, id) => accountOf(people.find(({ name }) => name === id)),
    // The person isn't asked whether the chat may know name and address.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  return (request, response) => {
    if (!request.url?.startsWith(INTERACTION_PATH)) return callback(request, response)
    logIn(provider, settings, request, response).catch((err: unknown) => {
      process.stderr.write(`${String(err)}\n`)
      response.writeHead(400).end('This sign-in took too long. Begin again at the chat.')
    })
  }
}

/** Asks at each sign-in who it is, so that one browser can try several people. */
function createPolicy(): ReturnType<typeof interactionPolicy.base> {
  const policy = interactionPolicy.base()
  policy
    .get('login')
    .checks.add(new interactionPolicy.Check('each_time', 'asks each time', ({ oidc }) => !oidc.result?.login))
  return policy
}

function accountOf(person: ExamplePerson | undefined): object | undefined {
  if (!person) return undefined
  const { name: id, email, firstName, lastName, position } = person
  const claims = { sub: id, email, email_verified: true, name: `${firstName} ${lastName}`, position }
  return { accountId: id, claims: () => claims }
}

async function logIn(
  provider: Provider,
  { people, password }: ProviderSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const show = (notice: string | null) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(renderLogInPage(people, notice))
  }
  if (request.method !== 'POST') return show(null)
  const form = await readForm(request)
  if (form.get('cancel') !== null)
    return provider.interactionFinished(request, response, { error: 'access_denied' })
  const typed = form.get('name')?.trim().toLowerCase()
  const person = people.find(({ name, email }) => typed === name || typed === email)
  if (!person || form.get('password') !== password) return show('User name or password is wrong.')
  await provider.interactionFinished(request, response, { login: { accountId: person.name } })
}
