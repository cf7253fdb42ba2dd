import { spawnSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import samlp, { type Participant } from 'samlp'
import SessionParticipants from 'samlp/lib/sessionParticipants/index.js'
import type { Arrival, Traveller } from './traveller.ts'

export interface KeyPair {
  readonly privateKey: string
  readonly certificate: string
}

export interface Person {
  readonly email: string
  readonly name?: string
  readonly groups?: readonly string[]
}

/** The installation, as the provider knows it. */
interface Site {
  readonly entityId: string
  readonly answerUrl: string
  readonly certificate: string
}

/** A real SAML provider, at which a browser signs in at once, as the person that the test names. */
export interface SamlProvider {
  readonly entityId: string
  readonly certificate: string
  readonly ssoUrl: string
  readonly sloUrl: string
  /** Who signs in next, by ID; null if they give up. */
  person: string | null
  readonly people: Map<string, Person>
  /** How the next answers are protected. */
  protection: 'signed assertion' | 'signed answer' | 'encrypted'
  /** Sessions that the provider knows to exist at the site. */
  readonly participants: Participant[]
  trust(site: Site): void
  /** Where people begin at the provider. */
  beginUrl(relayState: string): string
  /** Where people end all of their sessions. */
  readonly endUrl: string
  stop(): void
}

const FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

export async function startSamlProvider({ privateKey, certificate }: KeyPair): Promise<SamlProvider> {
  const server = createServer((request, response) => serve(request, response))
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signer = { issuer: `${url}/metadata`, cert: certificate, key: privateKey }
  const states = new Map<string, object>()
  let sessions = 0
  let site: Site = { entityId: '', answerUrl: '', certificate: '' }

  const signIn = (person: string, fields: URLSearchParams) => {
    const sessionIndex = `session-${++sessions}`
    own.participants.push({
      ...{ serviceProviderId: site.entityId, nameId: person, sessionIndex, cert: site.certificate },
      serviceProviderLogoutURL: site.answerUrl,
    })
    const { email, name, groups } = own.people.get(person) ?? { email: '' }
    return samlp.auth({
      ...signer,
      ...{ audience: site.entityId, recipient: site.answerUrl, destination: site.answerUrl, sessionIndex },
      signingCert: site.certificate,
      signAssertion: own.protection !== 'signed answer',
      signResponse: own.protection === 'signed answer',
      ...(own.protection === 'encrypted' && {
        encryptionCert: site.certificate,
        encryptionPublicKey: createPublicKey(site.certificate)
          .export({ type: 'spki', format: 'pem' })
          .toString(),
      }),
      RelayState: fields.get('RelayState') ?? '',
      getPostURL: (_, __, ___, done) => done(null, site.answerUrl),
      getUserFromRequest: () => ({ id: person }),
      profileMapper: () => ({
        getClaims: () => ({ mail: email, ...(name && { displayName: name }), ...(groups && { groups }) }),
        getNameIdentifier: () => ({ nameIdentifier: person, nameIdentifierFormat: FORMAT }),
      }),
    })
  }
  const refuse = (fields: URLSearchParams) =>
    samlp.sendError({
      ...signer,
      error: { code: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed', description: 'gave up' },
      RelayState: fields.get('RelayState') ?? '',
      getPostURL: (_, done) => done(null, site.answerUrl),
    })
  const logOut = () =>
    samlp.logout({
      ...signer,
      deflate: true,
      protocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
      sessionParticipants: new SessionParticipants(own.participants),
      store: {
        save: (_, state, done) => {
          const handle = `state-${states.size}`
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
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    // What the provider wants of Express.
    const asked = Object.assign(request, { query: Object.fromEntries(searchParams), body: {} })
    const answer = Object.assign(response, {
      set: (name: string, value: string) => response.setHeader(name, value),
      send: (...all: readonly unknown[]) => response.end(String(all.at(-1))),
      redirect: (location: string) => response.writeHead(302, { location }).end(),
    })
    const { person } = own
    const handle =
      pathname === '/slo' ? logOut() : person === null ? refuse(searchParams) : signIn(person, searchParams)
    handle(asked, answer, (err) => response.writeHead(500).end(String(err)))
  }
  const own: SamlProvider = {
    ...{ entityId: signer.issuer, certificate, ssoUrl: `${url}/sso`, sloUrl: `${url}/slo` },
    ...{ person: null, people: new Map(), protection: 'signed assertion', participants: [] },
    trust: (known) => {
      site = known
    },
    beginUrl: (relayState) => `${url}/begin?RelayState=${encodeURIComponent(relayState)}`,
    endUrl: `${url}/slo`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return own
}

/** A form that a provider has a browser send. */
export interface ProviderForm {
  readonly action: string
  readonly fields: URLSearchParams
}

/** The form of a provider's page; null if there is none. */
export function findForm({ text }: Pick<Arrival, 'text'>): ProviderForm | null {
  const attribute = (tag: string, name: string) =>
    (new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
      .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, code) =>
        String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
      )
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
  if (!/name="SAML(Request|Response)"/.test(text)) return null
  const [form = ''] = /<form[^>]*>/.exec(text) ?? []
  const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([tag]) => tag)
  const named = inputs.filter((tag) => attribute(tag, 'name') !== '')
  return {
    action: attribute(form, 'action'),
    fields: new URLSearchParams(named.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')])),
  }
}

/** Follows a page to the provider's form, which isn't sent. */
export async function followToForm(traveller: Traveller, url: string): Promise<ProviderForm> {
  const arrival = await traveller.follow(url)
  const form = findForm(arrival)
  if (!form) throw new Error(`no form but ${arrival.status} at ${arrival.url}: ${arrival.text}`)
  return form
}

/** Follows a page as a browser does, which also sends the provider's forms, to one that `stopsAt`, which isn't opened. */
export async function followForms(
  traveller: Traveller,
  url: string,
  stopsAt: (url: string) => boolean = () => false,
): Promise<Arrival> {
  const isOpenable = ({ location }: Arrival) =>
    location !== null && /^https?:/.test(location) && !stopsAt(location)
  let arrival = await traveller.follow(url, stopsAt)
  for (let form = findForm(arrival); form; form = findForm(arrival)) {
    arrival = await traveller.open(form.action, form.fields)
    if (isOpenable(arrival)) arrival = await traveller.follow(arrival.location ?? '', stopsAt)
  }
  return arrival
}

/** A key with a certificate that it signed itself, by openssl. */
export function createKeyPair(): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'tms-saml-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const options = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test']
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', '-x509', ...options, '-keyout', key, '-out', certificate],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  const pair = { privateKey: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') }
  rmSync(folder, { recursive: true })
  return pair
}
