import { badRequest, groupOf, type RealmProjection, systemGroupIds } from '@tms/contracts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { standingOf } from '../directory/standing.ts'
import { isInAny } from '../groups/group-membership.ts'
import { isFreeOfPermission } from './sending.rules.ts'

interface Writing {
  readonly realm: RealmProjection
  readonly sender: KnownUser
  readonly recipients: readonly KnownUser[]
}
type Has = Pick<Context, 'db' | 'now'>

/** Throws BAD_REQUEST unless someone in the conversation, the sender included, is in `direct_message_permission_group`. */
export async function checkMayWrite(context: Has, { realm, sender, recipients }: Writing): Promise<void> {
  const groupId = groupOf(realm, 'direct_message_permission_group')
  if (groupId === systemGroupIds['role:everyone'] || isFreeOfPermission(sender, recipients)) return
  if (groupId === systemGroupIds['role:nobody'])
    throw badRequest('Direct messages are disabled in this organization.')
  if (!(await isOneIn(context, groupId, realm, [sender, ...recipients])))
    throw badRequest('This conversation does not include any users who can authorize it.')
}

/** Throws BAD_REQUEST unless the sender is in `direct_message_initiator_group`; of the first message of a conversation. */
export async function checkMayBegin(context: Has, { realm, sender, recipients }: Writing): Promise<void> {
  const groupId = groupOf(realm, 'direct_message_initiator_group')
  if (groupId === systemGroupIds['role:everyone'] || isFreeOfPermission(sender, recipients)) return
  if (!(await isOneIn(context, groupId, realm, [sender])))
    throw badRequest('You do not have permission to initiate direct message conversations.')
}

function isOneIn(
  { db, now }: Has,
  groupId: number,
  realm: RealmProjection,
  users: readonly KnownUser[],
): Promise<boolean> {
  const people = users
    .filter(({ is_active }) => is_active)
    .map((user) => ({ userId: user.user_id, standing: standingOf(user, realm, now()) }))
  return isInAny(db, [groupId], people)
}
