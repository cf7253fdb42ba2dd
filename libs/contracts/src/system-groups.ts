/**
 * IDs by which settings that take a user group name the groups that every organization has.
 * The same in each organization: membership follows from the role.
 */
export const systemGroupIds = {
  'role:owners': 1,
  'role:administrators': 2,
  'role:moderators': 3,
  'role:fullmembers': 4,
  'role:members': 5,
  'role:everyone': 6,
  'role:internet': 7,
  'role:nobody': 8,
} as const
export type SystemGroupName = keyof typeof systemGroupIds
