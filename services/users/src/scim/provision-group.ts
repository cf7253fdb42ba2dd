import {
  defaultGroupSetting,
  type GroupPermissionValues,
  groupPermissionNames,
  groupPermissions,
  limits,
  Role,
} from '@tms/contracts'
import { createGroup } from '../groups/create-group.ts'
import { listUsesElsewhere, removeGroup } from '../groups/deactivate-group.ts'
import { type Group, listGroupRows } from '../groups/group.queries.ts'
import { checkGroupName, groupNameKey } from '../groups/group-name.rules.ts'
import { checkReservation, endingReservation, reserveForDeactivation } from '../groups/group-reservation.ts'
import { listUsesInGroups } from '../groups/group-use.rules.ts'
import { moveMembers } from '../groups/move-members.ts'
import { saveGroup } from '../groups/update-group.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import {
  type GroupState,
  isSameGroup,
  movesBetween,
  type ProvisionedGroup,
  readNewGroup,
} from './group.rules.ts'
import {
  findActiveGroup,
  listActivePeopleIds,
  markProvisioned,
  saveExternalId,
  wasProvisioned,
} from './group-record.queries.ts'
import type { Document } from './schema.rules.ts'
import type { Provisioning } from './scim-context.ts'
import { conflict, invalidValue, noSuchResource, notUnique } from './scim-errors.ts'

/** What a request makes of a group. */
type Decide = (present: GroupState) => GroupState

/** Throws NO_SUCH_OBJECT. */
export async function getGroup(
  { context, realm }: Provisioning,
  id: number | null,
): Promise<ProvisionedGroup> {
  const group = id === null ? null : await findActiveGroup(context.db, realm.realm_id, id)
  if (!group) throw noSuchResource()
  return group
}

/** Creates a user group that administrators alone can change otherwise. Throws CONFLICT, BAD_REQUEST. */
export async function provisionGroup(provisioning: Provisioning, body: Document): Promise<ProvisionedGroup> {
  const wanted = readNewGroup(body)
  const name = checkGroupName(wanted.displayName)
  const created = await withGroups(provisioning, async (tx, groups) => {
    const { realm, context, requestId } = provisioning
    await freeName(tx, groups, name, requestId)
    const group = {
      ...{ realmId: realm.realm_id, name, description: '', creatorId: null, createdAt: context.now() },
      ...{
        memberIds: await checkMembers(tx, realm.realm_id, wanted.memberIds),
        subgroupIds: [],
        permissions,
      },
    }
    const { id } = await createGroup(tx, group, requestId)
    await saveExternalId(tx, { id, realmId: realm.realm_id }, wanted.externalId)
    return id
  })
  return getGroup(provisioning, created)
}

/** Changes name and members of a group. Throws NO_SUCH_OBJECT, CONFLICT, BAD_REQUEST. */
export async function changeGroup(
  provisioning: Provisioning,
  id: number | null,
  decide: Decide,
): Promise<ProvisionedGroup> {
  const { realm, requestId } = provisioning
  const known = await getGroup(provisioning, id)
  // Most requests of a sync change nothing.
  if (isSameGroup(known, decide(known))) return known
  const { id: knownId } = known
  await withGroups(provisioning, async (tx, groups) => {
    const present = await findActiveGroup(tx, realm.realm_id, knownId)
    const group = groups.find((one) => one.id === knownId)
    if (!present || !group) throw noSuchResource()
    const wanted = decide(present)
    const moves = movesBetween(present, wanted)
    const added = await checkMembers(tx, realm.realm_id, moves.added)
    if (wanted.displayName !== present.displayName) {
      const name = checkGroupName(wanted.displayName)
      await freeName(
        tx,
        groups.filter((one) => one.id !== knownId),
        name,
        requestId,
      )
      await saveGroup(tx, group, { name }, requestId)
    }
    if (added.length + moves.removed.length > 0)
      await moveMembers(tx, group, { added, removed: moves.removed }, requestId)
    if (wanted.externalId !== present.externalId) await saveExternalId(tx, group, wanted.externalId)
  })
  return getGroup(provisioning, knownId)
}

/** Deactivates a group. Throws NO_SUCH_OBJECT, and CONFLICT if a permission names it: nobody would have that then. */
export async function deleteGroup(provisioning: Provisioning, id: number | null): Promise<void> {
  const { context, realm, requestId } = provisioning
  const { id: knownId } = await getGroup(provisioning, id)
  const asker = { realmId: realm.realm_id, userId: 0, role: Role.administrator }
  const reservation = await withGroups(provisioning, (tx) => reserveForDeactivation(tx, knownId))
  await endingReservation(context, { id: knownId, realmId: realm.realm_id }, reservation, async () => {
    const usesElsewhere = await listUsesElsewhere(context, asker, knownId)
    await withGroups(provisioning, async (tx, groups) => {
      const group = groups.find((one) => one.id === knownId && !one.isDeactivated)
      if (!group) throw noSuchResource()
      await checkReservation(tx, knownId, reservation)
      const use = [...listUsesInGroups(knownId, groups), ...usesElsewhere].find(
        ({ type }) => type !== 'subgroup',
      )
      if (use && use.type !== 'subgroup')
        throw conflict(`The group is in use by the setting '${use.settings[0]}': choose another there first`)
      await removeGroup(tx, groups, group, requestId)
      await markProvisioned(tx, group)
    })
  })
}

function withGroups<T>(
  { context, realm: { realm_id: realmId } }: Provisioning,
  work: (tx: PrismaTx, groups: readonly Group[]) => Promise<T>,
): Promise<T> {
  return context.transact(async (tx) => {
    await lockGroups(tx, realmId)
    return work(tx, await listGroupRows(tx, realmId))
  })
}

/** Nobody created it, so the creator's permissions are nobody's; administrators of groups have all. */
const permissions = Object.fromEntries(
  groupPermissionNames.map((name) => [name, defaultGroupSetting(groupPermissions[name])]),
) as GroupPermissionValues

/** Makes a name free if a group has it that provisioning deleted: that gets its ID behind its name. Throws CONFLICT. */
async function freeName(
  tx: PrismaTx,
  groups: readonly Group[],
  name: string,
  requestId: string,
): Promise<void> {
  const other = groups.find(({ nameKey }) => nameKey === groupNameKey(name))
  if (!other) return
  if (!other.isDeactivated || !(await wasProvisioned(tx, other.id)))
    throw notUnique(`There is a ${other.isDeactivated ? 'deactivated ' : ''}user group '${name}' already`)
  const suffix = ` (${other.id})`
  const kept = [...other.name].slice(0, limits.maxUserGroupNameLength - suffix.length).join('')
  const formerName = kept + suffix
  if (groups.some(({ nameKey }) => nameKey === groupNameKey(formerName)))
    throw notUnique(`There is a deactivated user group '${name}' already`)
  await saveGroup(tx, other, { name: formerName }, requestId)
}

/** Throws invalidValue if one isn't an active person of the organization. */
async function checkMembers(tx: PrismaTx, realmId: number, ids: readonly number[]): Promise<number[]> {
  const sorted = [...ids].sort((a, b) => a - b)
  const active = new Set(await listActivePeopleIds(tx, realmId, sorted))
  const other = sorted.find((id) => !active.has(id))
  if (other !== undefined) throw invalidValue(`${other} is no active person`)
  return sorted
}
