import { emailHostOf, type endpoints, unknownUser } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { listUserRecordRows } from '../kernel/accounts/account-list.queries.ts'
import { toUserWithActivity, viewFor } from '../kernel/accounts/user-record.ts'
import type { Context } from '../kernel/context.ts'
import { findVisibility } from '../kernel/guest-visibility/user-visibility.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'

/**
 * All users of the organization, including bots and deactivated ones, without the system bot. Users that a guest
 * can't see appear as unknown users.
 */
export const handleListUsers: Handler<typeof endpoints.users.listUsers, Context> = async ({
  input,
  caller,
  context,
}) => {
  const [accounts, visibility, realm] = await Promise.all([
    listUserRecordRows(context.db, caller.realmId),
    findVisibility(context.db, caller),
    getRealm(context, caller.realmId),
  ])
  const view = viewFor(caller, input, realm)
  const withProfileData = view.profileFields !== null
  const host = emailHostOf(new URL(realm.url).hostname)
  return {
    members: accounts
      .filter(({ isSystemBot }) => !isSystemBot)
      .map((account) =>
        visibility.canSee(account)
          ? toUserWithActivity(account, view)
          : unknownUser(account.id, host, { withProfileData }),
      ),
  }
}
