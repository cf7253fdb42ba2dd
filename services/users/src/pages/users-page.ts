import { type endpoints, knownTimeZone, Role } from '@tms/contracts'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'
import { visitOf } from './account-visit.ts'
import { ACCOUNT_PATH, USERS_PATH } from './page-request.ts'
import { listUsersPage } from './users-page.queries.ts'
import { usersView } from './users-views.ts'

const PAGE_SIZE = 50
/** No name has more. */
const MAX_PARTS = 10

/** The organization's users, for administrators; others get to their own account. */
export const handleShowUsersPage: Handler<typeof endpoints.users.showUsersPage, DirectoryContext> = async (
  request,
) => {
  const visit = await visitOf(request, USERS_PATH)
  if (visit instanceof RedirectAnswer) return visit
  const { realm, account } = visit
  if (account.role > Role.administrator) return new RedirectAnswer(ACCOUNT_PATH)
  const { context, input } = request
  const search = (input.search ?? '').trim()
  const parts = search
    .split(/[\s\p{Cc}]+/u)
    .filter((part) => part !== '')
    .slice(0, MAX_PARTS)
  const isActive = input.show !== 'deactivated'
  const after = Number(input.after)
  const found = await listUsersPage(context.db, realm.realm_id, {
    ...{ isActive, parts, limit: PAGE_SIZE + 1 },
    afterId: Number.isInteger(after) && canBeId(after) ? after : null,
  })
  const users = found.slice(0, PAGE_SIZE)
  const seen = await findLastSeen(
    context,
    realm.realm_id,
    users.map(({ id }) => id),
  )
  return usersView(realm, {
    ...{ search, isActive, users, seen },
    timeZone: knownTimeZone(account.timezone),
    isFirstPage: input.after === undefined,
    nextAfter: found.length > PAGE_SIZE ? (users.at(-1)?.id ?? null) : null,
  })
}

/** When users were seen last, in UNIX seconds. */
export async function findLastSeen(
  { presence }: Pick<DirectoryContext, 'presence'>,
  realmId: number,
  userIds: readonly number[],
): Promise<Map<number, number>> {
  const seen = await presence.findAll(realmId, userIds)
  return new Map(seen.map(({ userId, activeAt, connectedAt }) => [userId, activeAt ?? connectedAt]))
}
