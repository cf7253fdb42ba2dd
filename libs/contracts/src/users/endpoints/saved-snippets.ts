import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { optionalText, pathId, text } from '../../declarations/parameter.ts'
import { savedSnippetRecord } from '../saved-snippets.ts'

const title = {
  description: `1 to ${limits.maxSavedSnippetTitleLength} characters, without surrounding space.`,
}
const content = { description: `1 to ${limits.maxMessageLength} characters of Markdown.` }

export const listSavedSnippets = endpoint({
  name: 'listSavedSnippets',
  owner: 'users',
  method: 'GET',
  path: '/saved_snippets',
  auth: 'user',
  summary: 'List your saved snippets, oldest first',
  response: z.object({ saved_snippets: z.array(savedSnippetRecord) }),
})

export const createSavedSnippet = endpoint({
  name: 'createSavedSnippet',
  owner: 'users',
  method: 'POST',
  path: '/saved_snippets',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Save a snippet',
  description: `You can have at most ${limits.maxSavedSnippets}, of ${limits.maxSavedSnippetCharacters} characters in all.`,
  parameters: { title: text(z.string(), title), content: text(z.string(), content) },
  response: z.object({ saved_snippet_id: z.int() }),
})

export const updateSavedSnippet = endpoint({
  name: 'updateSavedSnippet',
  owner: 'users',
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Change a saved snippet',
  pathParameters: { saved_snippet_id: pathId },
  parameters: { title: optionalText(z.string(), title), content: optionalText(z.string(), content) },
  response: z.object({}),
  errors: ['NO_SUCH_OBJECT'],
})

export const deleteSavedSnippet = endpoint({
  name: 'deleteSavedSnippet',
  owner: 'users',
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Delete a saved snippet',
  pathParameters: { saved_snippet_id: pathId },
  response: z.object({}),
  errors: ['NO_SUCH_OBJECT'],
})
