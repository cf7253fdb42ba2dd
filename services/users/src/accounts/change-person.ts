import { domainEvents, type PersonChange } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { changeSystemGroups } from '../groups/system-membership.ts'
import { type Person, updatePerson } from './account.queries.ts'
import { personChangesOf } from './person-changes.rules.ts'
import { toUserFacts } from './user-facts.ts'
import { toWholeRecord } from './user-record.ts'

const publish = publisherOf('users')

/**
 * Changes an account and tells everyone who sees it what is another now; nothing is told if nothing is. `before` must
 * be locked (`lockPerson`). `alsoChanged` are changes of what isn't in the account's row.
 */
export async function changePerson(
  tx: PrismaTx,
  before: Person,
  change: Prisma.AccountUncheckedUpdateInput,
  requestId: string | null,
  alsoChanged: readonly PersonChange[] = [],
): Promise<Person> {
  const after = await updatePerson(tx, before.id, change)
  const changes = [...personChangesOf(before, after), ...alsoChanged]
  if (changes.length > 0) {
    await publish(
      asTx(tx),
      domainEvents.users.userUpdated,
      { user_id: after.id, changes, user: toWholeRecord(after), facts: toUserFacts(after) },
      { realmId: after.realmId, requestId },
    )
  }
  await changeSystemGroups(tx, before, after, requestId)
  return after
}
