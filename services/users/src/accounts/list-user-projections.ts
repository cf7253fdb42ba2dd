import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { canBeId } from './account.queries.ts'
import { foldEmail } from './email-address.rules.ts'
import { listPeopleBy, listPeoplePage } from './people.queries.ts'
import { toUserProjection } from './user-projection.ts'

const DEFAULT_LIMIT = 1_000

/** The facts of the users asked for, else a page of all. */
export const handleListUserProjections: InternalHandler<
  typeof internal.users.listUserProjections,
  Context
> = async ({ realm_id, user_ids, emails, after_user_id, limit }, { db }) => {
  const realmId = realm_id ?? null
  const after = Math.max(0, after_user_id ?? 0)
  if ((realmId !== null && !canBeId(realmId)) || (after > 0 && !canBeId(after))) return { users: [] }
  const isAsked = user_ids !== undefined || emails !== undefined
  const people = isAsked
    ? await listPeopleBy(db, {
        realmId,
        ids: (user_ids ?? []).filter(canBeId),
        foldedEmails: (emails ?? []).map(foldEmail),
      })
    : await listPeoplePage(db, { realmId, afterId: after, limit: Math.max(0, limit ?? DEFAULT_LIMIT) })
  return { users: people.map(toUserProjection) }
}
