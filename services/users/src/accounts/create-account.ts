import { domainEvents } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { joinSystemGroups } from '../groups/system-membership.ts'
import { createAccountRow, type Person } from './account.queries.ts'
import { toUserFacts } from './user-facts.ts'
import { toWholeRecord } from './user-record.ts'

const publish = publisherOf('users')

/** Creates a person's account and tells everyone. Null when the address is taken. */
export async function createAccount(
  tx: PrismaTx,
  account: {
    realmId: number
    email: string
    fullName: string
    passwordHash: string
    role: number
    dateJoined: Date
  },
  requestId: string,
): Promise<Person | null> {
  const { email, ...rest } = account
  // A new account's address is visible to everyone, so it's the API e-mail too.
  const row = { ...rest, email, deliveryEmail: email, apiKey: createApiKey() }
  const person = await createAccountRow(tx, row)
  if (!person) return null

  await publish(
    asTx(tx),
    domainEvents.users.userCreated,
    { user: toWholeRecord(person), facts: toUserFacts(person) },
    { realmId: person.realmId, requestId },
  )
  await joinSystemGroups(tx, person, requestId)
  return person
}
