import { internal } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'

/** A deletion of an organization that is scheduled or running. */
export interface Deletion {
  readonly realm_id: number
  /** UNIX seconds. */
  readonly delete_at: number
  readonly is_begun: boolean
  /** Rows and files so far. */
  readonly deleted: number
}

/** All of them. */
export async function listDeletions(call: InternalClient): Promise<readonly Deletion[]> {
  return (await call(internal.realm.listRealmDeletions, {})).deletions
}

/** The deletion of an organization; null if none is scheduled, or it is finished. */
export async function findDeletion(call: InternalClient, realmId: number): Promise<Deletion | null> {
  return (await listDeletions(call)).find(({ realm_id }) => realm_id === realmId) ?? null
}
