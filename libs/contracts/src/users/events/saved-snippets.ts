import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { savedSnippetRecord } from '../saved-snippets.ts'

export const savedSnippetCreated = domainEvent({
  name: 'users.saved_snippet_created.v1',
  producer: 'users',
  summary: 'A user saved a snippet',
  payload: z.object({ user_id: z.int(), saved_snippet: savedSnippetRecord }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: 'A snippet is content, and seen by its author alone.' },
})

export const savedSnippetUpdated = domainEvent({
  name: 'users.saved_snippet_updated.v1',
  producer: 'users',
  summary: 'A user changed a saved snippet',
  payload: z.object({ user_id: z.int(), saved_snippet: savedSnippetRecord }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: 'A snippet is content, and seen by its author alone.' },
})

export const savedSnippetDeleted = domainEvent({
  name: 'users.saved_snippet_deleted.v1',
  producer: 'users',
  summary: 'A user deleted a saved snippet',
  payload: z.object({ user_id: z.int(), saved_snippet_id: z.int() }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: 'A snippet is content, and seen by its author alone.' },
})
