import { internal, type UserGroupProjection, type UserProjection } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'

const PAGE_SIZE = 5_000
/** Smaller, since each group comes with all its members. */
const GROUPS_PAGE_SIZE = 500
/** A page takes its owner longer than calls on the path of a request may. */
export const PAGE_TIMEOUT_MS = 30_000

/** All users, of one organization if it is given, page by page in the order of their IDs. */
export async function* readUserPages(
  call: InternalClient,
  realmId?: number,
): AsyncGenerator<UserProjection[]> {
  const ofRealm = realmId === undefined ? {} : { realm_id: realmId }
  let after_user_id = 0
  while (true) {
    const { users } = await call(
      internal.users.listUserProjections,
      { ...ofRealm, after_user_id, limit: PAGE_SIZE },
      { timeoutMs: PAGE_TIMEOUT_MS },
    )
    yield users
    if (users.length < PAGE_SIZE) return
    after_user_id = users.at(-1)?.user_id ?? after_user_id
  }
}

/** All custom groups, page by page in the order of their IDs. */
export async function* readGroupPages(call: InternalClient): AsyncGenerator<UserGroupProjection[]> {
  let after_group_id = 0
  while (true) {
    const { groups } = await call(
      internal.users.listUserGroupProjections,
      { after_group_id, limit: GROUPS_PAGE_SIZE },
      { timeoutMs: PAGE_TIMEOUT_MS },
    )
    yield groups
    if (groups.length < GROUPS_PAGE_SIZE) return
    after_group_id = groups.at(-1)?.group_id ?? after_group_id
  }
}
