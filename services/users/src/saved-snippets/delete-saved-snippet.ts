import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { deleteSavedSnippet } from './saved-snippet.queries.ts'
import { noSuchSnippetError } from './saved-snippet.rules.ts'

/** Deletes a saved snippet of the caller. */
export const handleDeleteSavedSnippet: Handler<typeof endpoints.users.deleteSavedSnippet, Context> = async ({
  input: { saved_snippet_id },
  caller,
  context,
  requestId,
}) => {
  await context.transact(async (tx) => {
    const { id: user_id, realmId } = await lockActiveAccount(tx, caller)
    if (!(await deleteSavedSnippet(tx, user_id, saved_snippet_id))) throw noSuchSnippetError()
    await publish(
      tx,
      domainEvents.users.savedSnippetDeleted,
      { user_id, saved_snippet_id },
      { realmId, requestId },
    )
  })
  return {}
}
