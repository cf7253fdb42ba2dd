import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { findSavedSnippet, measureSavedSnippets, saveSavedSnippet } from './saved-snippet.queries.ts'
import { checkContent, checkFits, checkTitle, noSuchSnippetError } from './saved-snippet.rules.ts'

/** Changes a saved snippet of the caller; there is an event only if something is different then. */
export const handleUpdateSavedSnippet: Handler<typeof endpoints.users.updateSavedSnippet, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const title = input.title === undefined ? undefined : checkTitle(input.title)
  const content = input.content === undefined ? undefined : checkContent(input.content)
  await context.transact(async (tx) => {
    const { id: user_id, realmId } = await lockActiveAccount(tx, caller)
    const stored = await findSavedSnippet(tx, user_id, input.saved_snippet_id)
    if (!stored) throw noSuchSnippetError()
    const saved_snippet = {
      ...stored,
      title: title ?? stored.title,
      content: content ?? stored.content,
    }
    if (saved_snippet.title === stored.title && saved_snippet.content === stored.content) return
    await saveSavedSnippet(tx, saved_snippet)
    checkFits(await measureSavedSnippets(tx, user_id))
    await publish(
      tx,
      domainEvents.users.savedSnippetUpdated,
      { user_id, saved_snippet },
      { realmId, requestId },
    )
  })
  return {}
}
