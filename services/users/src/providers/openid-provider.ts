import type { ProviderSettings } from '@tms/contracts'
import { type ClientTls, createConcurrencyLimit } from '@tms/service-kit'
import { importPKCS8, SignJWT } from 'jose'
import * as openid from 'openid-client'
import { type Claims, isVerified, readAddress, readDecisions, readName } from './person-claims.rules.ts'
import type {
  Attempt,
  BroughtAnswer,
  OpenedProvider,
  ProvenPerson,
  Provider,
  Verification,
} from './provider.ts'
import {
  asUnavailable,
  broughtUrl,
  issuerOf,
  nameOf,
  type OpenIdSettings,
  PROVIDER_LIMIT,
  verifyAnswer,
} from './provider-calls.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** How long what a provider says about itself is used. Its keys are read at each sign-in. */
const DISCOVERY_MS = 3_600_000
/** How far clocks may differ. */
const SKEW_SECONDS = 60
/** How old a token may be that has just been fetched. */
const MAX_AGE_SECONDS = 600
/** How long Apple may be shown a secret that is made for one call. */
const APPLE_SECRET_SECONDS = 300

/** How kinds differ. */
interface Profile {
  readonly issuer: string
  readonly scope: string
  readonly parameters: Readonly<Record<string, string>>
  readonly hasUserInfo: boolean
  /** The address of claims; null without a verified one. */
  readonly addressOf: (claims: Claims) => string | null
  readonly nameOf: (claims: Claims) => string | null
  /** Whether the settings admit the person. */
  readonly admits: (claims: Claims) => boolean
}

/** A provider of OpenID Connect. */
export function createOpenIdProvider(
  { settings, secret, ca }: OpenedProvider<OpenIdSettings>,
  tls: ClientTls,
): Provider {
  const profile = profileOf(settings)
  const limit = createConcurrencyLimit(PROVIDER_LIMIT)
  const timeoutMs = settings.timeout_seconds * 1_000
  const fetch = createProviderFetch({
    home: profile.issuer,
    name: nameOf(settings),
    timeoutMs,
    tls: { ...tls, ...(ca !== null && { ca }) },
  })
  const authentication = async (): Promise<openid.ClientAuth> =>
    openid.ClientSecretPost(settings.kind === 'apple' ? await createAppleSecret(settings, secret) : secret)
  const prepare = (config: openid.Configuration) => {
    if (settings.allow_unencrypted) openid.allowInsecureRequests(config)
    // The token's signature counts, and not only the connection over which it came.
    openid.enableNonRepudiationChecks(config)
    config[openid.customFetch] = fetch
    config.timeout = settings.timeout_seconds
  }
  const metadata = { [openid.clockTolerance]: SKEW_SECONDS }

  let known: { server: openid.ServerMetadata; until: number } | null = null
  const configure = async (): Promise<openid.Configuration> => {
    if (known === null || known.until < Date.now()) {
      const found = await openid.discovery(
        new URL(profile.issuer),
        settings.client_id,
        metadata,
        await authentication(),
        {
          [openid.customFetch]: fetch,
          execute: settings.allow_unencrypted ? [openid.allowInsecureRequests] : [],
          timeout: settings.timeout_seconds,
        },
      )
      known = { server: found.serverMetadata(), until: Date.now() + DISCOVERY_MS }
    }
    // A new one for each sign-in has no keys yet, so that a key which the provider has just replaced counts no more.
    const config = new openid.Configuration(
      { ...known.server },
      settings.client_id,
      metadata,
      await authentication(),
    )
    prepare(config)
    return config
  }

  const verify = async (attempt: Attempt, answer: BroughtAnswer): Promise<Verification> => {
    const config = await asUnavailable(settings, configure)
    const tokens = await openid.authorizationCodeGrant(config, broughtUrl(attempt, answer), {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.codeVerifier,
      idTokenExpected: true,
    })
    const token = tokens.claims()
    if (!token) throw new Error('the provider sent no ID token')
    checkAge(token.iat)
    const about =
      profile.hasUserInfo && config.serverMetadata().userinfo_endpoint !== undefined
        ? await openid.fetchUserInfo(config, tokens.access_token, token.sub)
        : {}
    const claims: Claims = { ...about, ...token, ...(settings.kind === 'apple' && appleName(answer)) }
    if (!profile.admits(claims)) return { kind: 'foreign' }
    return { kind: 'proven', person: personOf(settings, profile, claims, token) }
  }

  return {
    settings,
    answersByForm: settings.kind === 'apple',
    findSignInUrl: (attempt) =>
      limit(() => asUnavailable(settings, async () => signInUrl(await configure(), attempt, profile))),
    verify: (attempt, answer) => verifyAnswer(answer, () => limit(() => verify(attempt, answer))),
  }
}

function profileOf(settings: OpenIdSettings): Profile {
  const usual: Profile = {
    issuer: issuerOf(settings),
    scope: 'openid profile email',
    parameters: {},
    hasUserInfo: true,
    addressOf: (claims) => (isVerified(claims['email_verified']) ? readAddress(claims['email']) : null),
    nameOf: readName,
    admits: () => true,
  }
  switch (settings.kind) {
    case 'oidc':
      return {
        ...usual,
        scope: settings.scopes.join(' '),
        addressOf: (claims) =>
          settings.trusts_addresses ||
          // It speaks of `email` alone.
          (settings.email_claim === 'email' && isVerified(claims['email_verified']))
            ? readAddress(claims[settings.email_claim])
            : null,
        nameOf: (claims) => readName(claims, settings.name_claim),
      }
    case 'google':
      return {
        ...usual,
        parameters: settings.hosted_domain === undefined ? {} : { hd: settings.hosted_domain },
        admits: ({ hd }) => settings.hosted_domain === undefined || hd === settings.hosted_domain,
      }
    case 'gitlab':
      return usual
    case 'microsoft':
      return {
        ...usual,
        hasUserInfo: false,
        // `xms_edov` says whether the tenant owns the address's domain; nothing else is verified.
        addressOf: (claims) =>
          settings.trusts_addresses || isVerified(claims['xms_edov'], [1, '1', 'true'])
            ? readAddress(claims['email'])
            : null,
        admits: ({ tid }) => tid === settings.tenant,
      }
    case 'apple':
      return {
        ...usual,
        scope: 'openid name email',
        parameters: { response_mode: 'form_post' },
        hasUserInfo: false,
        addressOf: (claims) =>
          isVerified(claims['email_verified'], ['true']) ? readAddress(claims['email']) : null,
      }
  }
}

async function signInUrl(
  config: openid.Configuration,
  { state, nonce, codeVerifier, redirectUri }: Attempt,
  { scope, parameters }: Profile,
): Promise<URL> {
  return openid.buildAuthorizationUrl(config, {
    ...parameters,
    ...{ scope, state, nonce, redirect_uri: redirectUri },
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
}

/** Throws if a token that has just been fetched is old, or from the future. */
function checkAge(issuedAt: number): void {
  const age = Date.now() / 1_000 - issuedAt
  if (age < -SKEW_SECONDS || age > MAX_AGE_SECONDS) throw new Error(`the ID token is ${age} s old`)
}

function personOf(
  settings: OpenIdSettings,
  { addressOf, nameOf }: Profile,
  claims: Claims,
  { iss: issuer, sub: subject }: { iss: string; sub: string },
): ProvenPerson {
  const address = addressOf(claims)
  return {
    ...{ issuer, subject, deadAddresses: [] },
    addresses: address === null ? [] : [address],
    fullName: nameOf(claims),
    ...readDecisions(claims, settings),
  }
}

/** Apple sends the name beside the token, so anybody can change their own. */
function appleName({ user }: BroughtAnswer): Claims {
  try {
    const { firstName, lastName } = (JSON.parse(user ?? '') as { name: Record<string, unknown> }).name
    return { given_name: firstName, family_name: lastName }
  } catch {
    return {}
  }
}

async function createAppleSecret(
  { client_id, team_id, key_id, issuer }: Extract<ProviderSettings, { kind: 'apple' }>,
  privateKey: string,
): Promise<string> {
  const key = await importPKCS8(privateKey, 'ES256')
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: key_id })
    .setIssuer(team_id)
    .setSubject(client_id)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime(`${APPLE_SECRET_SECONDS}s`)
    .sign(key)
}
