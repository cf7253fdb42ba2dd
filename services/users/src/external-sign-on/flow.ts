/** What a person wants who begins a sign-in. */
export interface Wish {
  readonly isSignUp: boolean
  readonly next?: string | undefined
  /** Key of a reusable invitation link. */
  readonly linkKey?: string | undefined
  readonly mobilePad?: string | undefined
  readonly desktopKey?: string | undefined
}

/** A sign-in that is under way at a provider. */
export interface FlowState extends Wish {
  /** Of the organization. */
  readonly subdomain: string
  /** The provider's part of paths. */
  readonly path: string
  readonly nonce: string
  readonly codeVerifier: string
  /** Of the secret that the browser has at the host of the provider's answer. */
  readonly browserHash: string
  /** Of the secret that it has at the host of the organization; null if the sign-in didn't begin there. */
  readonly originHash: string | null
}

/** A sign-in on its way to the host of the organization. */
export interface HandOver {
  readonly realmId: number
  /** As it was when the sign-in was verified. */
  readonly account: { readonly id: number; readonly sessionGeneration: number }
  /** Of the provider. */
  readonly path: string
  readonly next?: string | undefined
  /** Of the secret that the browser has there; null for the desktop app, which has the token from somebody's hand. */
  readonly originHash: string | null
  /** What the session keeps for the provider. */
  readonly details?: Readonly<Record<string, string>> | undefined
}
