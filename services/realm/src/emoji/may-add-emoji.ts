import { badRequest, internal, isFullMember, Policy, policyAllows } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { Organization } from '../kernel/realms/realm.queries.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'

/** Throws BAD_REQUEST for bots, and for users that the organization's policy doesn't allow to add emoji. */
export async function checkMayAddEmoji(
  { call, now }: Pick<Context, 'call' | 'now'>,
  { userId, role, isBot }: Caller,
  organization: Organization,
): Promise<void> {
  const { add_custom_emoji_policy, waiting_period_threshold } = readSettings(organization)
  const isFull = async () => {
    const { users } = await call(internal.users.listUserProjections, { user_ids: [userId], limit: 1 })
    const seconds = Math.floor(now().getTime() / 1000)
    return users.some((user) => isFullMember(user, waiting_period_threshold, seconds))
  }
  const subject = {
    role,
    isFullMember: add_custom_emoji_policy === Policy.fullMembers && (await isFull()),
  }
  if (isBot || !policyAllows(add_custom_emoji_policy, subject)) throw badRequest('Insufficient permission')
}
