/** Never tells whether the address has an account: that only its mail says. */
export type PasswordResetRequest =
  | { readonly kind: 'mailed' }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number }
  /** The text is no address. */
  | { readonly kind: 'refused'; readonly field: 'email'; readonly message: string }

export type PasswordResetOutcome =
  | { readonly kind: 'changed'; readonly user_id: number }
  | { readonly kind: 'refused'; readonly field: 'password'; readonly message: string }
  /** The key is unknown, used or expired, or the account has another password or address since. */
  | { readonly kind: 'invalid' }
