import { signOnSettings } from '@tms/contracts'
import { openProviders } from '../open-providers.ts'
import type { Attempt } from '../provider.ts'
import {
  ANSWER_URL,
  assertionOf,
  ENTITY_ID,
  type KeyPair,
  responseOf,
  SITE,
  signed,
} from './fake-saml-provider.ts'
import { isSamlProvider, type SamlProvider } from './saml-providers.ts'

export const ATTEMPT: Attempt = { state: 'state', nonce: 'nonce', codeVerifier: '', redirectUri: '' }
export const SSO_URL = 'https://id.example.com/sso?idp=1'
export const SLO_URL = 'https://id.example.com/slo'

/** A provider as services open it, which remembers what was used in a set. */
export async function openSamlProvider({
  own,
  theirs,
  change = {},
}: {
  /** Null: the installation has no key. */
  own: KeyPair | null
  theirs: KeyPair
  /** Of the settings. */
  change?: object
}): Promise<SamlProvider> {
  const settings = {
    ...{ kind: 'saml', name: 'corp', entity_id: ENTITY_ID, sso_url: SSO_URL, slo_url: SLO_URL },
    ...{ certificates: [theirs.certificate], attributes: { email: 'email' }, ...change },
  }
  const key = own && { private_key: own.privateKey, certificate: own.certificate }
  const signOn = signOnSettings.parse({ providers: [settings], ...(key && { saml: key }) })
  const used = new Set<string>()
  const { providers } = await openProviders(
    signOn,
    {},
    {
      ...{ entityId: SITE, answerUrl: ANSWER_URL, now: () => new Date() },
      claim: async (text) => !used.has(text) && Boolean(used.add(text)),
    },
  )
  const [only] = providers.values()
  if (!only || !isSamlProvider(only)) throw new Error('no provider')
  return only
}

export const signedAssertionOf = (theirs: KeyPair, lies: Parameters<typeof assertionOf>[0] = {}): string =>
  signed(responseOf(assertionOf(lies)), 'Assertion', theirs)
