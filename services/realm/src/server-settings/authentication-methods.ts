/**
 * Authentication methods, by their key in server settings (API document, "Get server settings"). Clients expect every
 * key; only e-mail address and password are supported.
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
