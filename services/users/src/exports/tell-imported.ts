import { domainEvents } from '@tms/contracts'
import { publisherOf, type Tx } from '@tms/service-kit'
import { listPeoplePage } from '../accounts/people.queries.ts'
import { toUserProjection } from '../accounts/user-projection.ts'
import { listGroupProjectionsOfRealm } from '../groups/group.queries.ts'

const publish = publisherOf('users')
/** In one event; a user may have a hundred kilobytes, and a group has all its members. */
const USERS_AT_ONCE = 100
const GROUPS_AT_ONCE = 20

/** Tells other services of everyone and every group that an organization has, a part at a time. */
export async function tellImported(tx: Tx, realmId: number): Promise<void> {
  const cause = { realmId, requestId: null }
  const { organizationImported } = domainEvents.users
  for (let afterId = 0, isLast = false; !isLast; ) {
    const people = await listPeoplePage(tx, { realmId, afterId, limit: USERS_AT_ONCE })
    if (people.length > 0)
      await publish(tx, organizationImported, { users: people.map(toUserProjection), groups: [] }, cause)
    afterId = people.at(-1)?.id ?? afterId
    isLast = people.length < USERS_AT_ONCE
  }
  for (let afterId = 0, isLast = false; !isLast; ) {
    const groups = await listGroupProjectionsOfRealm(tx, realmId, { afterId, limit: GROUPS_AT_ONCE })
    if (groups.length > 0) await publish(tx, organizationImported, { users: [], groups }, cause)
    afterId = groups.at(-1)?.group_id ?? afterId
    isLast = groups.length < GROUPS_AT_ONCE
  }
}
