import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listApiTokensOf, listApiTokensOfRealm } from './api-token.queries.ts'

const PAGE = 1_000

/** Tokens of the caller and the caller's bots. */
export const handleListApiTokens: Handler<typeof endpoints.users.listApiTokens, Context> = async ({
  caller: { realmId, userId },
  context,
}) => ({ api_tokens: await listApiTokensOf(context.db, realmId, userId) })

/** A page of the tokens of the organization. */
export const handleListRealmApiTokens: Handler<typeof endpoints.users.listRealmApiTokens, Context> = async ({
  input,
  caller,
  context,
}) => {
  const page = { afterId: input.after_id ?? 0, limit: PAGE + 1 }
  const found = await listApiTokensOfRealm(context.db, caller.realmId, page)
  return { api_tokens: found.slice(0, PAGE), is_complete: found.length <= PAGE }
}
