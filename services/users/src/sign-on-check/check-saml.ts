import type { SamlProvider } from '../providers/saml/saml-providers.ts'
import type { Steps } from './steps.ts'

const DAY_MS = 86_400_000
/** Sooner than most providers replace one. */
const SOON_DAYS = 30

/**
 * Says what the settings and metadata of a SAML provider amount to, and what it must know. It isn't called: only browsers
 * speak with it, so whether it knows the installation shows at a sign-in.
 */
export function checkSaml(
  steps: Steps,
  provider: SamlProvider,
  site: { readonly externalUrl: string; readonly hasKey: boolean; readonly now: Date },
): void {
  const { ssoUrl, sloUrl, certificates } = provider.about
  steps.ok(`metadata: the provider is ${provider.entityId}, people sign in at ${ssoUrl}`)
  for (const { subject, validTo } of certificates) {
    const days = Math.floor((validTo.getTime() - site.now.getTime()) / DAY_MS)
    const text = `certificate: ${subject.replaceAll('\n', ', ')}, until ${validTo.toISOString().slice(0, 10)}`
    if (days < 0) steps.note(`${text}: it has expired, but its key counts until you remove it`)
    else if (days < SOON_DAYS) steps.note(`${text}: add the next one to certificates`)
    else steps.ok(text)
  }
  if (!site.hasKey)
    steps.note('own key: there is none, so requests are unsigned, and encrypted assertions are refused')
  steps.note(
    sloUrl === null
      ? 'log-out: no URL, so people stay signed in there'
      : `log-out: people log out at ${sloUrl}`,
  )
  if (!site.externalUrl.startsWith('https:'))
    steps.note('HTTPS: without it browsers bring no answer of a provider at another site')
  steps.note(
    `at the provider: entity ID ${site.externalUrl}, answers to ${site.externalUrl}/complete/saml/, metadata ${site.externalUrl}/saml/metadata.xml`,
  )
}
