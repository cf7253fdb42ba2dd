import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { listAccountsByIdOrEmail, listAccountsPage } from '../kernel/accounts/account-list.queries.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'

const DEFAULT_LIMIT = 1_000

/** Projections of the requested users, or a page of all users. */
export const handleListUserProjections: InternalHandler<
  typeof internal.users.listUserProjections,
  Context
> = async ({ realm_id, user_ids, emails, after_user_id, limit }, { db }) => {
  const realmId = realm_id ?? null
  const after = Math.max(0, after_user_id ?? 0)
  if ((realmId !== null && !canBeId(realmId)) || (after > 0 && !canBeId(after))) return { users: [] }
  const isFiltered = user_ids !== undefined || emails !== undefined
  const accounts = isFiltered
    ? await listAccountsByIdOrEmail(db, {
        realmId,
        ids: (user_ids ?? []).filter(canBeId),
        foldedEmails: (emails ?? []).map(foldEmail),
      })
    : await listAccountsPage(db, { realmId, afterId: after, limit: Math.max(0, limit ?? DEFAULT_LIMIT) })
  return { users: accounts.map(toUserProjection) }
}
