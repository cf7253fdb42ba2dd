import { domainEvents, type endpoints, Role } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { lockAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { deleteApiToken, findAccountOfToken } from './api-token.queries.ts'
import { noSuchTokenError } from './api-token.rules.ts'

export const handleRevokeApiToken: Handler<typeof endpoints.users.revokeApiToken, Context> = async ({
  input: { token_id: id },
  caller,
  context,
  requestId,
}) => {
  if (!(await revokeToken(context, caller, id, requestId))) throw noSuchTokenError()
  return {}
}

/**
 * Ends a token: of the caller, of the caller's bots, and for administrators of anybody, so that a leaked one of an owner
 * needn't wait for the owner. From the answer on it is refused. Resolves to false if there is none.
 */
export function revokeToken(
  context: Pick<Context, 'transact'>,
  { realmId, userId, role }: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  id: number,
  requestId: string,
): Promise<boolean> {
  return context.transact(async (tx) => {
    const accountId = await findAccountOfToken(tx, realmId, id)
    const account = accountId === null ? null : await lockAccount(tx, realmId, accountId)
    const mayRevoke =
      account && (account.id === userId || account.botOwnerId === userId || role <= Role.administrator)
    if (!mayRevoke || !(await deleteApiToken(tx, account.id, id))) return false
    const payload = { op: 'revoked', user_id: account.id, token_id: id } as const
    await publish(tx, domainEvents.users.apiTokenChanged, payload, { realmId, requestId })
    return true
  })
}
