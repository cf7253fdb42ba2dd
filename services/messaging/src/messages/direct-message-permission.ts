import {
  badRequest,
  type RealmPermission,
  type RealmProjection,
  realmPermissions,
  systemGroupIds,
} from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import { isAnyPermitted } from '../kernel/groups/permissions.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { needsNoPermission } from './sending.rules.ts'

interface DirectMessage {
  readonly realm: RealmProjection
  readonly sender: KnownUser
  readonly recipients: readonly KnownUser[]
}
type Dependencies = Pick<Context, 'db' | 'now'>

/**
 * Throws BAD_REQUEST unless a user of the conversation, which includes the sender, is in
 * `direct_message_permission_group`.
 */
export async function checkMayWrite(
  context: Dependencies,
  { realm, sender, recipients }: DirectMessage,
): Promise<void> {
  const value = realm.direct_message_permission_group
  if (value === systemGroupIds['role:everyone'] || needsNoPermission(sender, recipients)) return
  if (value === systemGroupIds['role:nobody'])
    throw badRequest('Direct messages are disabled in this organization.')
  if (!(await isAnyAllowed(context, 'direct_message_permission_group', realm, [sender, ...recipients])))
    throw badRequest('This conversation does not include any users who can authorize it.')
}

/**
 * Throws BAD_REQUEST unless the sender is in `direct_message_initiator_group`. Applies to the first message of a
 * conversation.
 */
export async function checkMayStartConversation(
  context: Dependencies,
  { realm, sender, recipients }: DirectMessage,
): Promise<void> {
  const value = realm.direct_message_initiator_group
  if (value === systemGroupIds['role:everyone'] || needsNoPermission(sender, recipients)) return
  if (!(await isAnyAllowed(context, 'direct_message_initiator_group', realm, [sender])))
    throw badRequest('You do not have permission to initiate direct message conversations.')
}

function isAnyAllowed(
  { db, now }: Dependencies,
  name: RealmPermission,
  realm: RealmProjection,
  users: readonly KnownUser[],
): Promise<boolean> {
  const members = users
    .filter(({ is_active }) => is_active)
    .map((user) => ({ userId: user.user_id, policySubject: policySubjectOf(user, realm, now()) }))
  return isAnyPermitted(db, realmPermissions[name], realm[name], members)
}
