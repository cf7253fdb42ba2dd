import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

const { savedSnippetCreated, savedSnippetUpdated, savedSnippetDeleted } = domainEvents.users

/** `saved_snippets` `add`, to the owner. */
export const presentSavedSnippetCreated = present(savedSnippetCreated, {
  list: () => [{ index: 0, type: 'saved_snippets' }],
  write: ({ saved_snippet }) => fieldsOf({ type: 'saved_snippets', op: 'add', saved_snippet }),
})

export const presentSavedSnippetUpdated = present(savedSnippetUpdated, {
  list: () => [{ index: 0, type: 'saved_snippets' }],
  write: ({ saved_snippet }) => fieldsOf({ type: 'saved_snippets', op: 'update', saved_snippet }),
})

export const presentSavedSnippetDeleted = present(savedSnippetDeleted, {
  list: () => [{ index: 0, type: 'saved_snippets' }],
  write: ({ saved_snippet_id }) => fieldsOf({ type: 'saved_snippets', op: 'remove', saved_snippet_id }),
})
