import type { ProviderSettings } from '@tms/contracts'
import type { ClientTls } from '@tms/service-kit'
import { issuerOf, nameOf } from '../providers/provider-calls.ts'
import { createProviderFetch } from '../providers/provider-fetch.ts'
import { checkConnection } from './check-connection.ts'
import { reasonOf, type Steps } from './steps.ts'

type Fetch = ReturnType<typeof createProviderFetch>

interface CheckedProvider {
  /** Of a provider that this service calls. */
  readonly settings: Exclude<ProviderSettings, { kind: 'saml' }>
  readonly secret: string
  /** PEM. */
  readonly ca: string | null
  readonly tls: ClientTls
  /** Where it sends people back. */
  readonly redirectUri: string
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const CALLBACK = 'redirect URL: the provider must know'

/** Tries a provider as a sign-in does, but for the person. */
export async function checkProvider(steps: Steps, provider: CheckedProvider): Promise<void> {
  const { settings, ca, redirectUri } = provider
  const tls = ca === null ? provider.tls : { ...provider.tls, ca }
  const timeoutMs = settings.timeout_seconds * 1_000
  const homes = settings.kind === 'github' ? [settings.url, settings.api_url] : [issuerOf(settings)]
  for (const url of homes) if (!(await checkConnection(steps, { url, tls, timeoutMs }))) return
  if (settings.kind === 'github') {
    steps.note('it has no discovery, so client_id and client_secret show only at a sign-in')
  } else {
    const home = issuerOf(settings)
    const fetch = createProviderFetch({ home, name: nameOf(settings), timeoutMs, tls })
    if (!(await checkOpenId(steps, provider, { issuer: home, fetch }))) return
  }
  steps.note(`${CALLBACK} ${redirectUri}`)
}

async function checkOpenId(
  steps: Steps,
  provider: CheckedProvider,
  { issuer, fetch }: { readonly issuer: string; readonly fetch: Fetch },
): Promise<boolean> {
  const found = await getJson(fetch, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (typeof found === 'string') return steps.wrong(`discovery: ${found}`)
  if (found['issuer'] !== issuer)
    return steps.wrong(
      `discovery: the provider calls itself ${JSON.stringify(found['issuer'])}, and the settings ${JSON.stringify(issuer)}: make issuer the same, to the slash`,
    )
  const missing = ENDPOINTS.filter((name) => typeof found[name] !== 'string' || !URL.canParse(found[name]))
  if (missing.length > 0) return steps.wrong(`discovery: there is no ${missing.join(', ')}`)
  steps.ok(`discovery: ${issuer} describes itself`)
  const methods = found['code_challenge_methods_supported']
  if (Array.isArray(methods) && !methods.includes('S256'))
    return steps.wrong('discovery: the provider doesn’t support PKCE with S256')

  for (const name of ['jwks_uri', 'token_endpoint'])
    if (!provider.settings.allow_unencrypted && !String(found[name]).startsWith('https:'))
      return steps.wrong(`discovery: ${name} ${String(found[name])} is unencrypted, so no sign-in uses it`)

  const keys = await getJson(fetch, String(found['jwks_uri']))
  if (typeof keys === 'string') return steps.wrong(`keys: ${keys}`)
  const count = Array.isArray(keys['keys']) ? keys['keys'].length : 0
  if (count === 0) return steps.wrong('keys: the provider has none, so no signature can be verified')
  steps.ok(`keys: ${count}`)
  return checkClient(steps, provider, String(found['token_endpoint']), fetch)
}

/** The provider refuses a code that it never gave: before that, a client whose secret is wrong. */
async function checkClient(
  steps: Steps,
  { settings, secret, redirectUri }: CheckedProvider,
  url: string,
  fetch: Fetch,
): Promise<boolean> {
  const { client_id: clientId } = settings
  if (settings.kind === 'apple')
    return steps.note('client: team_id, key_id and private_key show only at a sign-in')
  const form = {
    ...{ grant_type: 'authorization_code', code: 'no-code', redirect_uri: redirectUri },
    ...{ client_id: clientId, client_secret: secret, code_verifier: 'a'.repeat(43) },
  }
  let error: unknown
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    const body = new URLSearchParams(form)
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
    error = readObject(await answer.text())?.['error'] ?? `status ${answer.status}`
  } catch (err) {
    return steps.wrong(`client: ${failureOf(err)}`)
  }
  if (error === 'invalid_grant') return steps.ok(`client: ${clientId} and its secret are right`)
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return steps.wrong(`client: the provider refuses client_id ${clientId}, or client_secret (${error})`)
  return steps.note(`client: whether the secret is right shows only at a sign-in (${String(error)})`)
}

/** The object at a URL, or why there is none. */
async function getJson(fetch: Fetch, url: string): Promise<Readonly<Record<string, unknown>> | string> {
  try {
    const answer = await fetch(url, { method: 'GET', headers: {}, body: null, redirect: 'manual' })
    if (answer.status !== 200) return `${url} answers ${answer.status}`
    return readObject(await answer.text()) ?? `${url} is no JSON object`
  } catch (err) {
    return failureOf(err)
  }
}

const failureOf = (err: unknown): string =>
  err instanceof Error && err.cause !== undefined ? reasonOf(err.cause) : reasonOf(err)

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
