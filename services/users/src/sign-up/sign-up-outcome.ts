import type { EmailVisibility } from '@tms/contracts'

/** Who asks, for limits and for telling requests apart. */
export interface Asker {
  readonly requestId: string
  /** Address of the client, which mails are counted by. */
  readonly ip: string
}

/** What the key of a link stands for. */
export type Invitation =
  /** From a mail to this address: whoever has the key can sign up. */
  | {
      readonly kind: 'email'
      readonly email: string
      readonly invitedAs: number
      readonly inviterName: string
    }
  /** A reusable link: whoever follows it gives an address, which is then confirmed. */
  | { readonly kind: 'link'; readonly invitedAs: number; readonly inviterName: string }
  /** From the mail that confirms an address given before: whoever has the key can sign up. */
  | { readonly kind: 'confirmed-address'; readonly email: string }
  /** Unknown, used, revoked or expired. */
  | { readonly kind: 'invalid' }

/** What became of an address that someone wants to sign up with. */
export type ConfirmationRequest =
  | { readonly kind: 'mailed'; readonly email: string }
  | { readonly kind: 'refused'; readonly field: 'email'; readonly message: string }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number }
  /** The link is unknown, revoked or expired, or the organization takes nobody without one. */
  | { readonly kind: 'invalid' }

/** What a person fills in to sign up. */
export interface SignUpForm {
  readonly full_name: string
  readonly password: string
  /** A name of the IANA time zone database; an unknown one is as good as none. */
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
