/**
 * Ways to sign in, by their key in server settings (API document, "Get server settings"). Clients expect every
 * key; signing in goes by e-mail address and password only.
 */
export const authenticationMethods: Readonly<Record<string, boolean>> = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  apple: false,
  google: false,
  saml: false,
  'openid connect': false,
}
