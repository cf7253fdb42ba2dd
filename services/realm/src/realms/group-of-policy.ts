import { type SystemGroupName, systemGroupIds } from '@tms/contracts'

const groups: Readonly<Record<number, SystemGroupName>> = {
  1: 'role:members',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
  5: 'role:everyone',
  6: 'role:nobody',
  7: 'role:owners',
}

/** The ID of the system group whose members a policy admits. */
export function groupOfPolicy(policy: number): number {
  return systemGroupIds[groups[policy] ?? 'role:nobody']
}

/** The policy that admits the members of a system group. */
export function policyOfGroup(group: SystemGroupName): number {
  return Number(Object.keys(groups).find((policy) => groups[Number(policy)] === group))
}
