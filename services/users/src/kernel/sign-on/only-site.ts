import { type RealmProjection, type SignOnSettings, takesPasswords } from '@tms/contracts'
import { externalMethods, methodsOf } from './methods-of.ts'

/**
 * Where the log-in page leads straight on, if the installation wants that: to the one site at which users of the
 * organization sign in. Null if they have a choice.
 */
export function findOnlySite(
  context: { readonly signOn: SignOnSettings },
  realm: Pick<RealmProjection, 'string_id' | 'disabled_authentication_methods'>,
): string | null {
  if (!context.signOn.auto_sign_in || takesPasswords(methodsOf(context, realm))) return null
  const [site, ...others] = externalMethods(context, realm)
  return site && others.length === 0 ? site.login_url : null
}
