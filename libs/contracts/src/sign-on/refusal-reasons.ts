/** Why a sign-in at another server is refused, as the audit log names it, with what it means. By passwords and tokens, error codes do. */
export const signInRefusalReasons = {
  account_changed: 'The account was deactivated, or its credentials changed, before the sign-in was complete',
  begun_there: 'It began at the provider, from which the settings take none',
  cancelled: 'The person gave up at the provider, or it refused',
  deactivated: 'The account is deactivated',
  foreign: 'The provider doesn’t let the person enter the organization',
  method_off: 'The organization has the method off',
  no_address: 'The name that the proxy gave leads to no e-mail address',
  no_user: 'The proxy named nobody',
  none: 'Nobody has the address, and the person wanted to log in',
  other_browser: 'The answer came to a sign-in that this browser or site didn’t begin; it may be stolen',
  refused: 'The rules for new members don’t admit the person, or nobody can sign in to the account',
  taken: 'The account belongs to somebody else at the provider',
  unverified: 'The provider hasn’t verified an address of the person',
  wrong: 'The provider’s answer can’t be verified',
} as const
export type SignInRefusalReason = keyof typeof signInRefusalReasons
