import { badRequest, hasPermission, internal, Role, realmPermissions } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { Organization } from '../kernel/realms/realm.queries.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'

const PERMISSION = 'can_add_custom_emoji_group'

/** Throws BAD_REQUEST for bots, and for users without `can_add_custom_emoji_group`. */
export async function checkMayAddEmoji(
  { call }: Pick<Context, 'call'>,
  caller: Pick<Caller, 'realmId' | 'userId' | 'role' | 'isBot'>,
  organization: Organization,
): Promise<void> {
  const { realmId, userId, role, isBot } = caller
  const user = { userId, role, isFullMember: role <= Role.moderator }
  const value = readSettings(organization)[PERMISSION]
  const isClear = hasPermission(realmPermissions[PERMISSION], value, user, () => false)
  // Users knows the members of groups, and who is a full member.
  const ask = () =>
    call(internal.users.checkRealmPermission, { realm_id: realmId, user_id: userId, permission: PERMISSION })
  if (isBot || !(isClear || (await ask()).is_permitted)) throw badRequest('Insufficient permission')
}
