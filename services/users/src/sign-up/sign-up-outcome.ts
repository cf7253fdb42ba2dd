import type { EmailVisibility } from '@tms/contracts'

/** What a link's key belongs to. */
export type Invitation =
  /** A mailed invitation: the holder of the key can sign up with this address. */
  | {
      readonly kind: 'email'
      readonly email: string
      readonly invitedAs: number
      readonly inviterName: string
    }
  /** A reusable link: the holder enters an address, which is then confirmed. */
  | { readonly kind: 'link'; readonly invitedAs: number; readonly inviterName: string }
  /** A mailed confirmation: the holder of the key can sign up with this address. */
  | { readonly kind: 'confirmed-address'; readonly email: string }
  /** Unknown, used, revoked or expired. */
  | { readonly kind: 'invalid' }

/** Outcome of requesting a confirmation. */
export type ConfirmationRequest =
  | { readonly kind: 'mailed'; readonly email: string }
  | { readonly kind: 'refused'; readonly field: 'email'; readonly message: string }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number }
  /** The link is unknown, revoked or expired, or the organization requires an invitation. */
  | { readonly kind: 'invalid' }

/** The sign-up form. */
export interface SignUpForm {
  readonly full_name: string
  readonly password: string
  /** A name of the IANA time zone database; an unknown one is ignored. */
  readonly timezone?: string
  /** One of `EmailVisibility`. */
  readonly email_address_visibility?: (typeof EmailVisibility)[keyof typeof EmailVisibility]
}

export type SignUpOutcome =
  | { readonly kind: 'joined'; readonly user_id: number; readonly api_key: string }
  | {
      readonly kind: 'refused'
      readonly field: 'email' | 'full_name' | 'password'
      readonly message: string
    }
  | { readonly kind: 'invalid' }
