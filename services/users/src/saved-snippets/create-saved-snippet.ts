import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { insertSavedSnippet, measureSavedSnippets } from './saved-snippet.queries.ts'
import { checkContent, checkFits, checkTitle } from './saved-snippet.rules.ts'

/** Saves a snippet of the caller. Throws BAD_REQUEST if a limit is exceeded. */
export const handleCreateSavedSnippet: Handler<typeof endpoints.users.createSavedSnippet, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const snippet = { title: checkTitle(input.title), content: checkContent(input.content) }
  return context.transact(async (tx) => {
    const { id: user_id, realmId } = await lockActiveAccount(tx, caller)
    const saved_snippet = await insertSavedSnippet(tx, user_id, snippet)
    checkFits(await measureSavedSnippets(tx, user_id))
    await publish(
      tx,
      domainEvents.users.savedSnippetCreated,
      { user_id, saved_snippet },
      { realmId, requestId },
    )
    return { saved_snippet_id: saved_snippet.id }
  })
}
