import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listPeople } from './people.queries.ts'
import { toUserWithActivity, viewFor } from './user-record.ts'

/** Everyone in the organization, deactivated people and bots included, but the server's own actor. */
export const handleListUsers: Handler<typeof endpoints.users.listUsers, Context> = async ({
  input,
  caller,
  context,
}) => {
  const people = await listPeople(context.db, caller.realmId)
  const view = viewFor(caller, input)
  return {
    members: people
      .filter(({ isSystemBot }) => !isSystemBot)
      .map((person) => toUserWithActivity(person, view)),
  }
}
