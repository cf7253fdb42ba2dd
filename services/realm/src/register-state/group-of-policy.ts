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
