import type { ProviderSettings } from '@tms/contracts'

/** Somebody that a provider has identified. */
export interface ProvenPerson {
  /** Whose word it is; subjects are unique there. */
  readonly issuer: string
  /** The person's ID there, which stays. */
  readonly subject: string
  /** Verified addresses; the primary one first. */
  readonly addresses: readonly string[]
  /** Verified as well, but of use only if an account has them: nobody reads mails there. */
  readonly deadAddresses: readonly string[]
  readonly fullName: string | null
  /** Null if the provider doesn't decide about roles. */
  readonly role: number | null
  /** Whether owners can lose that role by it: only if the provider can also give it. */
  readonly decidesAboutOwners: boolean
  /** Values by the name of the profile field; null clears it. */
  readonly profile: ReadonlyMap<string, string | null>
  /** Subdomains that the provider lets the person enter; `www` is that of the default organization. Absent: any. */
  readonly mayEnter?: readonly string[]
  /** What the provider needs to end the session with its own, and to find it: `person` is the same in all of them. */
  readonly session?: Readonly<Record<string, string>>
}

/** What a sign-in keeps to itself until the provider answers. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly redirectUri: string
}

/** What the browser brings back from a provider. */
export interface BroughtAnswer {
  readonly state?: string | undefined
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
  readonly error_description?: string | undefined
  /** Apple's: the name, at the first sign-in alone. */
  readonly user?: string | undefined
  readonly SAMLResponse?: string | undefined
}

export type Verification =
  | { readonly kind: 'proven'; readonly person: ProvenPerson }
  /** The person gave up, or isn't of those that the provider's settings admit. */
  | { readonly kind: 'cancelled' | 'foreign' }
  /** Something doesn't fit; `cause` is for operators. */
  | { readonly kind: 'wrong'; readonly cause: unknown }

/** A server at which people sign in. */
export interface Provider {
  readonly settings: ProviderSettings
  /** Whether the browser brings the answer as a form of another site, with which no `Lax` cookie comes. */
  readonly answersByForm: boolean
  /** Where to send the browser. Throws SERVICE_UNAVAILABLE. */
  findSignInUrl(attempt: Attempt): Promise<URL>
  /** Throws SERVICE_UNAVAILABLE. */
  verify(attempt: Attempt, answer: BroughtAnswer): Promise<Verification>
}

/** A provider's settings with its secrets. */
export interface OpenedProvider<Settings extends ProviderSettings = ProviderSettings> {
  readonly settings: Settings
  /** The client's secret; Apple's private key. */
  readonly secret: string
  /** PEM. */
  readonly ca: string | null
}
