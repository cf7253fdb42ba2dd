import { badRequest, domainEvents, type internal } from '@tms/contracts'
import {
  type DeletionStep,
  deleteFiles,
  type InternalHandler,
  onDomainEvent,
  runDeletion,
  transact,
} from '@tms/service-kit'
import { avatarFolderOf } from '../avatars/avatar-files.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { findRealmActivity } from '../kernel/realms/known-realm.queries.ts'
import { deleteKnownRealm, rowSteps } from './deletion.queries.ts'

const steps: readonly DeletionStep<Context>[] = [
  ...rowSteps,
  deleteFiles((realmId) => [avatarFolderOf(realmId)]),
  ({ presence }, realmId) => presence.forget(realmId),
  ({ sessions }, realmId) => sessions.forget(realmId),
]

/**
 * Deletes this service's part of an organization that is being deleted, for some seconds; at the end it publishes that.
 * Throws BAD_REQUEST for an active organization.
 */
export const handleDeleteRealmData: InternalHandler<typeof internal.users.deleteRealmData, Context> = async (
  { realm_id },
  context,
  requestId,
) => {
  if (await findRealmActivity(context.db, realm_id)) throw badRequest('The organization is active')
  const run = await runDeletion(steps, context, realm_id)
  // Each time: after a crash nobody knows whether it was published. Events of the users came before it.
  if (run.is_done)
    await transact(context.db, (tx) =>
      publish(tx, domainEvents.users.usersRemoved, { realm_id }, { realmId: realm_id, requestId }),
    )
  return run
}

/** Deletes the copy of an organization that was deleted. */
export const onRealmDeleted = onDomainEvent(domainEvents.realm.realmDeleted, (tx, { realm_id }) =>
  deleteKnownRealm(tx, realm_id),
)
