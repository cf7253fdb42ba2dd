import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findRealmByHost } from '../kernel/realms/find-realm-by-host.ts'
import { allowsSpectators } from './spectator-access.rules.ts'

/** The organization at a host, if it allows spectators. */
export const handleFindSpectatorRealm: InternalHandler<
  typeof internal.realm.findSpectatorRealm,
  Context
> = async ({ host }, context) => {
  const realm = await findRealmByHost(context, host)
  return { realm_id: realm && allowsSpectators(realm) ? realm.id : null }
}
