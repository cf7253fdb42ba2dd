import type { ProviderSettings } from '@tms/contracts'
import { type ClientTls, createConcurrencyLimit } from '@tms/service-kit'
import * as openid from 'openid-client'
import { z } from 'zod'
import { readAddress, readDecisions } from './person-claims.rules.ts'
import type { Attempt, BroughtAnswer, OpenedProvider, Provider, Verification } from './provider.ts'
import { asUnavailable, broughtUrl, nameOf, PROVIDER_LIMIT, verifyAnswer } from './provider-calls.ts'
import { createProviderFetch } from './provider-fetch.ts'

type GitHubSettings = Extract<ProviderSettings, { kind: 'github' }>

const owner = z.looseObject({ id: z.int(), login: z.string(), name: z.string().nullish() })
const addresses = z.array(z.object({ email: z.string(), verified: z.boolean(), primary: z.boolean() }))
const membership = z.object({ state: z.string() })
/** Where GitHub takes mails for people who hide their address. */
const DEAD_DOMAIN = '@users.noreply.github.com'

/** GitHub: OAuth alone, so its API says who somebody is. */
export function createGitHubProvider(
  { settings, secret, ca }: OpenedProvider<GitHubSettings>,
  tls: ClientTls,
): Provider {
  const limit = createConcurrencyLimit(PROVIDER_LIMIT)
  const fetch = createProviderFetch({
    home: settings.url,
    name: nameOf(settings),
    timeoutMs: settings.timeout_seconds * 1_000,
    tls: { ...tls, ...(ca !== null && { ca }) },
  })
  const server = {
    issuer: settings.url,
    authorization_endpoint: `${settings.url}/login/oauth/authorize`,
    token_endpoint: `${settings.url}/login/oauth/access_token`,
  }
  const configure = (): openid.Configuration => {
    const config = new openid.Configuration(server, settings.client_id, {}, openid.ClientSecretPost(secret))
    if (settings.allow_unencrypted) openid.allowInsecureRequests(config)
    config[openid.customFetch] = fetch
    config.timeout = settings.timeout_seconds
    return config
  }

  const verify = async (attempt: Attempt, answer: BroughtAnswer): Promise<Verification> => {
    const config = configure()
    const tokens = await openid.authorizationCodeGrant(config, broughtUrl(attempt, answer), {
      expectedState: attempt.state,
      pkceCodeVerifier: attempt.codeVerifier,
    })
    const ask = async <T>(path: string, schema: z.ZodType<T>): Promise<T | null> => {
      const url = new URL(`${settings.api_url}${path}`)
      const headers = new Headers({ accept: 'application/vnd.github+json' })
      const found = await openid.fetchProtectedResource(
        config,
        tokens.access_token,
        url,
        'GET',
        null,
        headers,
      )
      return found.status === 200 ? schema.parse(await found.json()) : null
    }
    const person = await ask('/user', owner)
    const known = await ask('/user/emails', addresses)
    if (!person || !known) throw new Error('GitHub does not say who has signed in')
    if (settings.organization !== undefined) {
      const path = `/user/memberships/orgs/${encodeURIComponent(settings.organization)}`
      if ((await ask(path, membership))?.state !== 'active') return { kind: 'foreign' }
    }
    const verified = known
      .filter((one) => one.verified)
      .toSorted((one, other) => Number(other.primary) - Number(one.primary))
      .flatMap(({ email }) => readAddress(email) ?? [])
    const isDead = (address: string) => address.toLowerCase().endsWith(DEAD_DOMAIN)
    return {
      kind: 'proven',
      person: {
        issuer: settings.url,
        subject: String(person.id),
        addresses: verified.filter((address) => !isDead(address)),
        deadAddresses: verified.filter(isDead),
        fullName: person.name?.trim() || person.login,
        ...readDecisions(person, settings),
      },
    }
  }

  return {
    settings,
    answersByForm: false,
    findSignInUrl: ({ state, codeVerifier, redirectUri }) =>
      asUnavailable(settings, async () =>
        openid.buildAuthorizationUrl(configure(), {
          scope: settings.organization === undefined ? 'user:email' : 'user:email read:org',
          ...{ state, redirect_uri: redirectUri },
          code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      ),
    verify: (attempt, answer) => verifyAnswer(answer, () => limit(() => verify(attempt, answer))),
  }
}
