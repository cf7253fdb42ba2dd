/** Never reveals whether the address has an account: only the mail does. */
export type PasswordResetRequest =
  | { readonly kind: 'mailed' }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number }
  /** The organization stores no passwords. */
  | { readonly kind: 'off' }
  /** The text is not an e-mail address. */
  | { readonly kind: 'refused'; readonly field: 'email'; readonly message: string }

export type PasswordResetOutcome =
  | { readonly kind: 'changed'; readonly user_id: number }
  | { readonly kind: 'refused'; readonly field: 'password'; readonly message: string }
  /** The key is unknown, used or expired, or password or address have changed since. */
  | { readonly kind: 'invalid' }
