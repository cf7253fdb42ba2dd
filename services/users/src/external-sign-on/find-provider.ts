import {
  findProviders,
  idOf,
  methodOfKind,
  pathOf,
  REMOTE_USER_ID,
  type RealmProjection,
} from '@tms/contracts'
import { methodsOf } from '../kernel/sign-on/methods-of.ts'
import type { Provider } from '../providers/provider.ts'
import type { SignOnContext } from './sign-on-context.ts'

/** The provider at a path, if the organization has it and has it on; otherwise null. */
export function findProvider(
  context: Pick<SignOnContext, 'signOn' | 'providers'>,
  realm: Pick<RealmProjection, 'string_id' | 'disabled_authentication_methods'>,
  path: string,
): Provider | null {
  const settings = findProviders(context.signOn.providers, realm.string_id).find(
    (one) => pathOf(one) === path,
  )
  if (!settings || !methodsOf(context, realm).includes(methodOfKind(settings.kind))) return null
  return context.providers.get(settings) ?? null
}

/** The name in sessions of the method at a path, also where it is off. */
export function methodIdAt({ signOn }: Pick<SignOnContext, 'signOn'>, path: string): string {
  const settings = signOn.providers.find((one) => pathOf(one) === path)
  return settings ? idOf(settings) : path
}

/** The name of the method at a path, if the organization has it and has it on; otherwise null. */
export function findMethodAt(
  context: Pick<SignOnContext, 'signOn' | 'providers'>,
  realm: Pick<RealmProjection, 'string_id' | 'disabled_authentication_methods'>,
  path: string,
): string | null {
  if (path === REMOTE_USER_ID) return methodsOf(context, realm).includes('RemoteUser') ? path : null
  const provider = findProvider(context, realm, path)
  return provider && idOf(provider.settings)
}
