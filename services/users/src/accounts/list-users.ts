import { emailHostOf, type endpoints, unknownUser } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findVisibility } from '../guest-visibility/sight.ts'
import { getRealm } from '../realms/get-realm.ts'
import { listPeople } from './people.queries.ts'
import { toUserWithActivity, viewFor } from './user-record.ts'

/**
 * Everyone in the organization, deactivated people and bots included, but the server's own actor. Whom a guest doesn't
 * see is an unknown user.
 */
export const handleListUsers: Handler<typeof endpoints.users.listUsers, Context> = async ({
  input,
  caller,
  context,
}) => {
  const [people, sight, realm] = await Promise.all([
    listPeople(context.db, caller.realmId),
    findVisibility(context.db, caller),
    getRealm(context, caller.realmId),
  ])
  const view = viewFor(caller, input, realm)
  const withProfileData = view.profileFields !== null
  const host = emailHostOf(new URL(realm.url).hostname)
  return {
    members: people
      .filter(({ isSystemBot }) => !isSystemBot)
      .map((person) =>
        sight.sees(person)
          ? toUserWithActivity(person, view)
          : unknownUser(person.id, host, { withProfileData }),
      ),
  }
}
