import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listSavedSnippets } from './saved-snippet.queries.ts'

/** Saved snippets of the caller, oldest first. */
export const handleListSavedSnippets: Handler<typeof endpoints.users.listSavedSnippets, Context> = async ({
  caller,
  context,
}) => ({ saved_snippets: await listSavedSnippets(context.db, caller.userId) })
