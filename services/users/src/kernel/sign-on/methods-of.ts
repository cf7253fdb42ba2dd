import {
  type AuthenticationMethod,
  availableMethods,
  type ExternalMethod,
  enabledMethods,
  externalMethodsOf,
  type RealmProjection,
  type SignOnSettings,
} from '@tms/contracts'

/** The methods by which users of an organization sign in: those that the installation offers it and that it has on. */
export function methodsOf(
  { signOn }: { readonly signOn: SignOnSettings },
  realm: Pick<RealmProjection, 'string_id' | 'disabled_authentication_methods'>,
): AuthenticationMethod[] {
  return enabledMethods(availableMethods(signOn, realm.string_id), realm.disabled_authentication_methods)
}

/** Whether users of an organization can have passwords that are stored here. */
export function storesPasswords(
  context: { readonly signOn: SignOnSettings },
  realm: Pick<RealmProjection, 'string_id' | 'disabled_authentication_methods'>,
): boolean {
  return methodsOf(context, realm).includes('Email')
}

/** The sites at which users of an organization sign in, as pages show them. */
export function externalMethods(
  { signOn }: { readonly signOn: SignOnSettings },
  realm: Pick<RealmProjection, 'string_id' | 'disabled_authentication_methods'>,
): ExternalMethod[] {
  return externalMethodsOf(signOn, realm.string_id, realm.disabled_authentication_methods)
}
