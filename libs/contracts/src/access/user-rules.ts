import type { GroupSettingValue } from '../permissions/group-setting-value.ts'
import { Role } from '../permissions/role.ts'
import { systemGroupIds } from '../permissions/system-groups.ts'
import { allows, oneOf } from './access-rule.ts'

interface UserConditions {
  /** The role of the user who looks. */
  readonly role: number | null
  /** The organization restricts which users its guests see. */
  readonly isRestricted: boolean
  readonly isSelf: boolean
  readonly isBot: boolean
  /** The two share a channel, or a direct conversation that has a message. */
  readonly isConnected: boolean
}

/** Who may do what with a user. */
export const userRules = {
  see: oneOf<UserConditions>(
    { role: Role.member },
    { isRestricted: false },
    { isSelf: true },
    { isBot: true },
    { isConnected: true },
  ),
}

/** Whether a role sees all users of an organization. `isRestricted`: the organization restricts which users its guests see. */
export const canSeeAllUsers = (role: number, isRestricted: boolean): boolean =>
  allows(userRules.see, { role, isRestricted, isSelf: false, isBot: false, isConnected: false })

/** `can_access_all_users_group` of an organization whose guests see all users. */
export const GROUP_WITH_GUESTS = systemGroupIds['role:everyone']

/** Whether an organization restricts which users its guests see. */
export const restrictsGuestVisibility = (realm: {
  readonly can_access_all_users_group: GroupSettingValue
}): boolean => realm.can_access_all_users_group !== GROUP_WITH_GUESTS
