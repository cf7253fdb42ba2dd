import type { BroughtAnswer, Provider, Verification } from '../provider.ts'
import type { SamlSettings } from './saml-person.rules.ts'

/** A provider of SAML. */
export interface SamlProvider extends Provider {
  readonly settings: SamlSettings
  /** Its own name. */
  readonly entityId: string
  /** What its settings and metadata say, for operators. */
  readonly about: {
    readonly ssoUrl: string
    readonly sloUrl: string | null
    readonly certificates: readonly { readonly subject: string; readonly validTo: Date }[]
  }
  /** Verifies an answer for which nobody has asked here. Rejects if Redis doesn't answer. */
  verifyUnasked(answer: Pick<BroughtAnswer, 'SAMLResponse'>): Promise<Verification>
  /** Verifies the request of a URL, by its query. Rejects with what is wrong. */
  verifyLogOut(query: string): Promise<LogOut>
  /** The same for the request of a form. */
  verifyPostedLogOut(form: PostedLogOut): Promise<LogOut>
  /** Where somebody logs out at the provider; null if nowhere. `session` is the person's, as verified at the sign-in. */
  findLogOutUrl(session: Readonly<Record<string, string>>, relayState: string): Promise<URL | null>
}

/** A form that asks to log somebody out. */
export interface PostedLogOut {
  readonly SAMLRequest?: string | undefined
  readonly RelayState?: string | undefined
}

/** What the provider wants to end. */
export interface LogOut {
  /** As in the person's sessions. */
  readonly person: string
  /** None: all sessions of the person. */
  readonly sessionIndexes: readonly string[]
  /** Where the answer goes; null if the provider wants none. */
  readonly answerUrl: URL | null
}

/** What is common to all providers of SAML. */
export interface SamlProviders {
  /** What providers read about the installation. */
  readonly metadata: string
  /** Null if there is no provider of SAML. */
  readonly messages: {
    /** The provider that says to have written the message of a form. */
    findByForm(text: string): SamlProvider | null
    findByQuery(query: string): SamlProvider | null
    isLogOutAnswer(text: string): boolean
  } | null
}

export const isSamlProvider = (provider: Provider): provider is SamlProvider =>
  provider.settings.kind === 'saml'
