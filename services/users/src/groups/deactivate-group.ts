import {
  AppError,
  badRequest,
  domainEvents,
  type endpoints,
  type GroupObjection,
  internal,
} from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { publishSubgroups } from './change-subgroups.ts'
import { type Editing, editGroups, getEditableActive } from './editing.ts'
import { type Group, updateGroupRow } from './group.queries.ts'
import { toGroupProjection } from './group-record.ts'
import { checkReservation, endingReservation, reserveForDeactivation } from './group-reservation.ts'
import { listUsesInGroups, listUsesInRealm } from './group-use.rules.ts'

/** Throws CANNOT_DEACTIVATE_GROUP_IN_USE with its uses; BAD_REQUEST if the group is deactivated already. */
export const handleDeactivateUserGroup: Handler<
  typeof endpoints.users.deactivateUserGroup,
  Context
> = async ({ input, caller, context, requestId }) => {
  await withDeactivatable(context, caller, input.user_group_id, async ({ tx }, group, objections) => {
    if (objections.length > 0) {
      throw new AppError('CANNOT_DEACTIVATE_GROUP_IN_USE', { details: { objections } })
    }
    await deactivateGroup(tx, group, requestId)
  })
  return {}
}

/**
 * The form of older clients: also removes the group from those that contain it. Throws BAD_REQUEST if a permission names
 * it: nobody would have that permission afterwards.
 */
export const handleRemoveUserGroup: Handler<typeof endpoints.users.removeUserGroup, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  await withDeactivatable(context, caller, input.user_group_id, async ({ tx, groups }, group, objections) => {
    const use = objections.find(({ type }) => type !== 'subgroup')
    if (use && use.type !== 'subgroup') {
      throw badRequest(`The group is in use by the setting '${use.settings[0]}': choose another there first`)
    }
    await removeGroup(tx, groups, group, requestId)
  })
  return {}
}

/**
 * `work` with a group that the caller may deactivate, and what uses it. The group is reserved before the owners of settings
 * are asked, so that none of them comes to name it after its answer.
 */
async function withDeactivatable(
  context: Context,
  caller: Caller,
  groupId: number,
  work: (editing: Editing, group: Group, objections: readonly GroupObjection[]) => Promise<void>,
): Promise<void> {
  const getManaged = (editing: Editing) => getEditableActive(editing, groupId, ['can_manage_group'])
  // Checks permission first: only users who may deactivate the group learn what uses it.
  const { reservation, reserved } = await editGroups(context, caller, async (editing) => {
    const reserved = getManaged(editing)
    return { reserved, reservation: await reserveForDeactivation(editing.tx, groupId) }
  })
  await endingReservation(context, reserved, reservation, async () => {
    const usesElsewhere = await listUsesElsewhere(context, caller, groupId)
    await editGroups(context, caller, async (editing) => {
      const group = getManaged(editing)
      await checkReservation(editing.tx, group.id, reservation)
      await work(editing, group, [...listUsesInGroups(group.id, editing.groups), ...usesElsewhere])
    })
  })
}

/** Deactivates a group under the groups' lock. Deactivated groups may still contain it, and have it again one day. */
async function deactivateGroup(tx: PrismaTx, group: Group, requestId: string): Promise<void> {
  const after = await updateGroupRow(tx, group.id, { isDeactivated: true })
  const payload = { group_id: group.id, projection: toGroupProjection(after) }
  await publish(tx, domainEvents.users.userGroupDeactivated, payload, { realmId: group.realmId, requestId })
}

/** Deactivates a group under the groups' lock, and removes it from those that contain it. */
export async function removeGroup(
  tx: PrismaTx,
  groups: readonly Group[],
  group: Group,
  requestId: string,
): Promise<void> {
  const cause = { realmId: group.realmId, requestId }
  for (const container of groups.filter(({ subgroupIds }) => subgroupIds.includes(group.id))) {
    const subgroupIds = container.subgroupIds.filter((id) => id !== group.id)
    const after = await updateGroupRow(tx, container.id, { subgroupIds })
    await publishSubgroups(tx, after, { added: [], removed: [group.id] }, cause)
  }
  await deactivateGroup(tx, group, requestId)
}

/**
 * The permissions of the organization and on channels that name a group, after the changes of them that have begun; channels as
 * this user sees them.
 */
export async function listUsesElsewhere(
  { call }: Pick<Context, 'call'>,
  { realmId, userId, role }: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  groupId: number,
): Promise<GroupObjection[]> {
  const { realms } = await call(internal.realm.listRealmProjections, {
    realm_ids: [realmId],
    after_changes: true,
  })
  const question = { realm_id: realmId, user_id: userId, role, group_id: groupId }
  const { channels } = await call(internal.messaging.listGroupUses, question)
  return [
    ...channels.map(({ channel_id, settings }) => ({
      type: 'channel' as const,
      ...(channel_id === null ? {} : { channel_id }),
      settings,
    })),
    ...realms.flatMap((realm) => listUsesInRealm(groupId, realm)),
  ]
}
