import {
  AppError,
  changedGroupSetting,
  type EndpointInput,
  type endpoints,
  type GroupSettingValue,
  type LegacyPolicyName,
  legacyPoliciesOf,
  legacyPolicyNames,
  permissionNamesOfPolicy,
  permissionsOfPolicy,
  type RealmPermission,
  type RealmPermissionValues,
  realmPermissionNames,
  realmPermissions,
} from '@tms/contracts'

/** Permissions in a request, and the policies that older clients send instead. */
export type PermissionInput = Pick<
  EndpointInput<typeof endpoints.realm.updateRealm>,
  RealmPermission | LegacyPolicyName
>

/** Whether the request names a permission that only owners may change, or a policy that stands for one. */
export function namesPermissionForOwners(input: PermissionInput): boolean {
  return requestedNames(input).some(({ name }) => realmPermissions[name].isChangedByOwnersOnly)
}

/** The permissions in a request: each with the policy that stands for it, or null if the client names it itself. */
function requestedNames(
  input: PermissionInput,
): { readonly name: RealmPermission; readonly policy: LegacyPolicyName | null }[] {
  return [
    ...realmPermissionNames
      .filter((name) => input[name] !== undefined)
      .map((name) => ({ name, policy: null })),
    ...legacyPolicyNames
      .filter((policy) => input[policy] !== undefined)
      .flatMap((policy) => permissionNamesOfPolicy(policy).map((name) => ({ name, policy }))),
  ]
}

/**
 * The permissions that a request changes; `shown` is what clients see of the present ones. Throws REQUEST_CONFUSING_VAR if it names a permission and a policy that stands
 * for it, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED, BAD_REQUEST.
 */
export function readRequestedPermissions(
  input: PermissionInput,
  present: RealmPermissionValues,
  shown: RealmPermissionValues,
): Partial<RealmPermissionValues> {
  checkNamedOnce(input)
  const changes: Partial<Record<RealmPermission, GroupSettingValue>> = {}
  for (const name of realmPermissionNames) {
    const change = input[name]
    if (change === undefined) continue
    const value = changedGroupSetting(name, realmPermissions[name], change, present[name], shown[name])
    if (value !== undefined) changes[name] = value
  }
  const policies = legacyPoliciesOf(present)
  for (const policy of legacyPolicyNames) {
    const value = input[policy]
    // What a client sends back as it got it changes nothing: several permissions are shown as the same policy.
    if (value !== undefined && value !== policies[policy])
      Object.assign(changes, permissionsOfPolicy(policy, value))
  }
  return changes
}

function checkNamedOnce(input: PermissionInput): void {
  const confusing = requestedNames(input).find(
    ({ name, policy }) => policy !== null && input[name] !== undefined,
  )
  if (!confusing) return
  const { name, policy } = confusing
  throw new AppError('REQUEST_CONFUSING_VAR', {
    message: `Can't decide between '${name}' and '${policy}' arguments`,
    details: { var_name1: name, var_name2: policy },
  })
}
