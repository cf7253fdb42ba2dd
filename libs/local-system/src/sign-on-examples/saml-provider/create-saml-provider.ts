import { createPublicKey, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import samlp, { type Middleware, type Participant } from 'samlp'
import SessionParticipants from 'samlp/lib/sessionParticipants/index.js'
import { renderLogInPage } from '../log-in-page.ts'
import type { ExamplePerson } from '../people.ts'
import { readForm } from '../read-form.ts'
import type { SamlProviderSettings } from './settings.ts'

const SSO_PATH = '/sso'
const SLO_PATH = '/slo'
const SAML = 'urn:oasis:names:tc:SAML:2.0'

/** What answers the provider's requests. Who it is, is asked each time, so that one browser can try several people. */
export function createSamlProvider(
  settings: SamlProviderSettings,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { url, people, password } = settings
  const sessions: Participant[] = []
  const logOut = createLogOut(settings, sessions)

  const logIn = async (request: IncomingMessage, response: ServerResponse) => {
    const show = (notice: string | null) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(renderLogInPage(people, notice))
    }
    if (request.method !== 'POST') return show(null)
    const form = await readForm(request)
    const { searchParams } = new URL(request.url ?? '/', url)
    const relayState = searchParams.get('RelayState') ?? ''
    if (form.get('cancel') !== null) return answer(createRefusal(settings, relayState), request, response)
    const typed = form.get('name')?.trim().toLowerCase()
    const person = people.find(({ name, email }) => typed === name || typed === email)
    if (!person || form.get('password') !== password) return show('User name or password is wrong.')
    answer(createSignIn(settings, person, relayState, sessions), request, response)
  }
  const answer = (handle: Middleware, request: IncomingMessage, response: ServerResponse) =>
    handle(...asExpress(request, response, url), (err) => fail(response, err))

  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', url)
    if (pathname === SLO_PATH) answer(logOut, request, response)
    else if (pathname === SSO_PATH) logIn(request, response).catch((err: unknown) => fail(response, err))
    else response.writeHead(404).end()
  }
}

const signerOf = ({ url, key }: SamlProviderSettings) => ({
  ...{ issuer: `${url}/metadata`, cert: key.certificate, key: key.privateKey },
})

function createSignIn(
  settings: SamlProviderSettings,
  { name, email, firstName, lastName, position }: ExamplePerson,
  relayState: string,
  sessions: Participant[],
): Middleware {
  const { entityId, answerUrl, certificate } = settings.site
  const sessionIndex = randomBytes(16).toString('hex')
  sessions.push({
    ...{ serviceProviderId: entityId, nameId: name, sessionIndex, cert: certificate },
    serviceProviderLogoutURL: answerUrl,
  })
  return samlp.auth({
    ...signerOf(settings),
    ...{ audience: entityId, recipient: answerUrl, destination: answerUrl, sessionIndex },
    ...{ signingCert: certificate, signAssertion: true, signResponse: false },
    encryptionCert: certificate,
    encryptionPublicKey: createPublicKey(certificate).export({ type: 'spki', format: 'pem' }).toString(),
    RelayState: relayState,
    getPostURL: (_, __, ___, done) => done(null, answerUrl),
    getUserFromRequest: () => ({ id: name }),
    profileMapper: () => ({
      getClaims: () => ({ email, firstName, lastName, position }),
      getNameIdentifier: () => ({
        nameIdentifier: name,
        nameIdentifierFormat: `${SAML}:nameid-format:persistent`,
      }),
    }),
  })
}

function createRefusal(settings: SamlProviderSettings, relayState: string): Middleware {
  return samlp.sendError({
    ...signerOf(settings),
    error: { code: `${SAML}:status:AuthnFailed`, description: 'The person gave up' },
    RelayState: relayState,
    getPostURL: (_, done) => done(null, settings.site.answerUrl),
  })
}

function createLogOut(settings: SamlProviderSettings, sessions: Participant[]): Middleware {
  const states = new Map<string, object>()
  return samlp.logout({
    ...signerOf(settings),
    deflate: true,
    protocolBinding: `${SAML}:bindings:HTTP-Redirect`,
    sessionParticipants: new SessionParticipants(sessions),
    store: {
      save: (_, state, done) => {
        const handle = randomBytes(16).toString('hex')
        states.set(handle, state)
        done(null, handle)
      },
      load: (_, handle, options, done) => {
        // The options may be left out.
        const callback = typeof options === 'function' ? (options as typeof done) : done
        callback(null, states.get(handle))
      },
      update: (_, handle, state, done) => {
        states.set(handle, state)
        done(null)
      },
    },
  })
}

/** Adds what the library wants of Express. */
function asExpress(
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
): [IncomingMessage, ServerResponse] {
  const query = Object.fromEntries(new URL(request.url ?? '/', url).searchParams)
  return [
    Object.assign(request, { query, body: {} }),
    Object.assign(response, {
      set: (name: string, value: string) => response.setHeader(name, value),
      send: (...all: readonly unknown[]) => response.end(String(all.at(-1))),
      redirect: (location: string) => response.writeHead(302, { location }).end(),
    }),
  ]
}

function fail(response: ServerResponse, err: unknown): void {
  process.stderr.write(`${String(err)}\n`)
  response.writeHead(400).end('This request of the chat can’t be answered. Begin again there.')
}
