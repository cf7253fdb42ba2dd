import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listDeletions } from '../kernel/realms/realm-deletion.queries.ts'

/** Scheduled and running deletions of organizations. */
export const handleListRealmDeletions: InternalHandler<
  typeof internal.realm.listRealmDeletions,
  Context
> = async (_body, { db }) => ({
  deletions: (await listDeletions(db)).map(({ realmId, deleteAt, isBegun, deleted }) => ({
    realm_id: realmId,
    delete_at: Math.floor(deleteAt.getTime() / 1_000),
    is_begun: isBegun,
    deleted,
  })),
})
