import {
  canonicalGroupSetting,
  changedGroupSetting,
  checkGroupSetting,
  type GroupPermission,
  type GroupPermissionValues,
  type GroupSettingChange,
  type GroupSettingValue,
  groupPermissionNames,
  groupPermissions,
  groupSettingParts,
  initialGroupSetting,
  withoutMembers,
} from '@tms/contracts'
import { checkGroupIds, checkUserIds, type Editing } from './editing.ts'
import { listActiveUserIds } from './group.queries.ts'

/** The permissions on a new group. Throws BAD_REQUEST for a value that a permission can't have. */
export async function readInitialPermissions(
  editing: Editing,
  input: { readonly [Name in GroupPermission]?: GroupSettingValue | undefined },
): Promise<GroupPermissionValues> {
  const values: Partial<Record<GroupPermission, GroupSettingValue>> = {}
  for (const name of groupPermissionNames) {
    const { [name]: requested = initialGroupSetting(groupPermissions[name], editing.editor.userId) } = input
    const value = canonicalGroupSetting(requested)
    checkGroupSetting(name, groupPermissions[name], value)
    await checkParts(editing, value)
    values[name] = value
  }
  return values as GroupPermissionValues
}

/** The permissions that a request changes. Throws EXPECTATION_MISMATCH, and BAD_REQUEST as above. */
export async function readChangedPermissions(
  editing: Editing,
  input: { readonly [Name in GroupPermission]?: GroupSettingChange | undefined },
  present: GroupPermissionValues,
): Promise<Partial<GroupPermissionValues>> {
  const values: Partial<Record<GroupPermission, GroupSettingValue>> = {}
  for (const name of groupPermissionNames) {
    const change = input[name]
    if (change === undefined) continue
    const shown = await showToClients(editing, present[name])
    const value = changedGroupSetting(name, groupPermissions[name], change, present[name], shown)
    if (value === undefined) continue
    await checkParts(editing, value)
    values[name] = value
  }
  return values
}

async function showToClients({ tx, realmId }: Editing, value: GroupSettingValue): Promise<GroupSettingValue> {
  const { direct_members } = groupSettingParts(value)
  if (direct_members.length === 0) return value
  const active = await listActiveUserIds(tx, realmId, direct_members)
  return withoutMembers(value, new Set(direct_members.filter((id) => !active.includes(id))))
}

async function checkParts(editing: Editing, value: GroupSettingValue): Promise<void> {
  const { direct_members, direct_subgroups } = groupSettingParts(value)
  await checkUserIds(editing, direct_members)
  checkGroupIds(editing, direct_subgroups)
}
