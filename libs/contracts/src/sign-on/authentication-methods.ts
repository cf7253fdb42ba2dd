/**
 * Authentication methods by their name in `PATCH /realm`, events and register, with their `key` in the
 * `authentication_methods` of server settings. A method works where the installation offers it and the organization has
 * it on.
 */
export const authenticationMethods = {
  Dev: { key: 'dev', takesPassword: false },
  Email: { key: 'email', takesPassword: true },
  LDAP: { key: 'ldap', takesPassword: true },
  RemoteUser: { key: 'remoteuser', takesPassword: false },
  GitHub: { key: 'github', takesPassword: false },
  AzureAD: { key: 'azuread', takesPassword: false },
  GitLab: { key: 'gitlab', takesPassword: false },
  Apple: { key: 'apple', takesPassword: false },
  Google: { key: 'google', takesPassword: false },
  SAML: { key: 'saml', takesPassword: false },
  'OpenID Connect': { key: 'openid connect', takesPassword: false },
} as const satisfies Readonly<Record<string, { readonly key: string; readonly takesPassword: boolean }>>
export type AuthenticationMethod = keyof typeof authenticationMethods

export const authenticationMethodNames = Object.keys(authenticationMethods) as AuthenticationMethod[]

/** The methods of a list that an organization hasn't switched off. */
export function enabledMethods(
  available: readonly AuthenticationMethod[],
  disabled: readonly string[] = [],
): AuthenticationMethod[] {
  return available.filter((name) => !disabled.includes(name))
}

/** `authentication_methods` of server settings: every key that clients know. `password` is any method that takes one. */
export function methodFlags(enabled: readonly AuthenticationMethod[]): Record<string, boolean> {
  const flags = authenticationMethodNames.map((name) => [
    authenticationMethods[name].key,
    enabled.includes(name),
  ])
  return { password: takesPasswords(enabled), ...Object.fromEntries(flags) }
}

export function takesPasswords(enabled: readonly AuthenticationMethod[]): boolean {
  return enabled.some((name) => authenticationMethods[name].takesPassword)
}
