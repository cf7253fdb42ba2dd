import { badRequest, type RealmProjection } from '@tms/contracts'
import type { RealmReader } from './realm-reader.ts'

/** Throws BAD_REQUEST for an unknown organization, SERVICE_UNAVAILABLE if realm doesn't answer. */
export async function getRealm(
  { realms }: { readonly realms: Pick<RealmReader, 'findById'> },
  realmId: number,
): Promise<RealmProjection> {
  const realm = await realms.findById(realmId)
  if (!realm) throw badRequest('There is no such organization')
  return realm
}
