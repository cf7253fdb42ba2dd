import { domainEvents, internal } from '@tms/contracts'
import { deleteFiles, runDeletion } from '@tms/service-kit'
import { deleteRealm } from '../archive-part/import.queries.ts'
import { realmPart } from '../archive-part/realm-part.ts'
import { exportFolderOf } from '../exports/run-export.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { lockOrganization, saveOrganization } from '../kernel/realms/realm.queries.ts'
import { type ClaimedDeletion, renewDeletion } from '../kernel/realms/realm-deletion.queries.ts'
import { deleteAuditLog, deleteExports, deleteSetAside } from './own-rows.queries.ts'

/** Longer than a call of a service takes. Too large delays the successor of a replica that died. */
export const LEASE_SECONDS = 30
const CALL_MS = 20_000

/** Messaging's data refer to users'. */
const parts = [internal.messaging.deleteRealmData, internal.users.deleteRealmData] as const

const ownSteps = [
  deleteExports,
  deleteAuditLog,
  deleteSetAside,
  deleteFiles((realmId) => [...realmPart.filePrefixes(realmId), exportFolderOf(realmId)]),
]

/**
 * Deletes a deactivated organization with everything that services have of it, and returns how many rows and files that
 * were here and in other services since this replica claimed it. What is done stays done if this fails or the process
 * dies: the replica that claims the deletion next continues. Rejects if another replica has claimed it, or `stop` is aborted.
 */
export async function deleteOrganization(
  context: Context,
  claimed: ClaimedDeletion,
  stop: AbortSignal,
): Promise<number> {
  const { realmId } = claimed
  let total = 0
  const note = async (deleted: number): Promise<void> => {
    total += deleted
    if (!(await renewDeletion(context.db, claimed, deleted, LEASE_SECONDS)))
      throw new Error('another replica has claimed the deletion')
    stop.throwIfAborted()
  }
  // What was under way may have left something where nothing was left before: until a round finds nothing.
  for (let found = -1; found !== 0; ) {
    const before = total
    for (const part of parts) await deletePart(context, part, realmId, note)
    found = total - before
  }
  for (let isDone = false; !isDone; ) {
    const run = await runDeletion(ownSteps, context, realmId)
    await note(run.deleted)
    isDone = run.is_done
  }
  await freeSubdomain(context, realmId)
  await context.deleteOrganizationStream(realmId)
  await context.transact(async (tx) => {
    await lockOrganization(tx, realmId)
    await deleteRealm(tx, realmId)
    await publish(tx, domainEvents.realm.realmDeleted, { realm_id: realmId }, { realmId, requestId: null })
  })
  return total
}

async function deletePart(
  { call }: Pick<Context, 'call'>,
  part: (typeof parts)[number],
  realm_id: number,
  note: (deleted: number) => Promise<void>,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const run = await call(part, { realm_id }, { timeoutMs: CALL_MS })
    await note(run.deleted)
    isDone = run.is_done
  }
}

/**
 * Gives the organization a subdomain that no host can have, and announces it: another organization may get its former
 * one as soon as this one is gone, although services read from the log later that it is.
 */
async function freeSubdomain(context: Context, realmId: number): Promise<void> {
  await context.transact(async (tx) => {
    await lockOrganization(tx, realmId)
    await saveOrganization(tx, realmId, { stringId: `deleted ${realmId}` })
  })
}
