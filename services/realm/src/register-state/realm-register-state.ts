import { badRequest, type internal, wants } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findRealmById, readSnapshot } from '../realms/realm.queries.ts'
import { notKeptYet } from './not-kept-yet.ts'
import { realmKeys } from './realm-keys.ts'
import { serverKeys } from './server-keys.ts'

/**
 * The organization's part of register's initial state, read in one repeatable-read transaction. Throws
 * BAD_REQUEST for an unknown organization.
 */
export const handleRealmRegisterState: InternalHandler<
  typeof internal.realm.realmRegisterState,
  Context
> = async (body, { prisma, uploadQuotaMib }) => {
  const { snapshot, realm } = await prisma.$transaction(
    async (tx) => ({ snapshot: await readSnapshot(tx), realm: await findRealmById(tx, body.realm_id) }),
    { isolationLevel: 'RepeatableRead' },
  )
  if (!realm) throw badRequest('There is no such organization')

  const state: Record<string, unknown> = {}
  if (wants(body, 'realm')) {
    Object.assign(state, realmKeys(realm), serverKeys, { realm_upload_quota_mib: uploadQuotaMib })
  }
  for (const [fetchType, keys] of Object.entries(notKeptYet)) {
    if (wants(body, fetchType)) Object.assign(state, keys)
  }
  return { snapshot, state }
}
