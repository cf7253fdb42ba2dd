import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { pathId, text } from '../../declarations/parameter.ts'
import { codePlayground } from '../records.ts'

export const listPlaygrounds = endpoint({
  name: 'listPlaygrounds',
  owner: 'realm',
  method: 'GET',
  path: '/realm/playgrounds',
  auth: 'user',
  summary: 'List the code playgrounds, in the order in which they were added',
  response: z.object({ playgrounds: z.array(codePlayground) }),
})

/** Errors have `errors`: the problems by field, or under `__all__` those of the whole. */
export const addPlayground = endpoint({
  name: 'addPlayground',
  owner: 'realm',
  method: 'POST',
  path: '/realm/playgrounds',
  auth: 'administrator',
  summary: 'Add a code playground',
  parameters: {
    name: text(z.string(), { description: 'Name that users see.' }),
    highlighter_language: text(z.string(), {
      aliases: ['pygments_language'],
      description: 'The language of the code blocks that it applies to.',
    }),
    url_template: text(z.string(), { description: 'RFC 6570; its one variable is `code`.' }),
  },
  response: z.object({ id: z.int() }),
})

export const removePlayground = endpoint({
  name: 'removePlayground',
  owner: 'realm',
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  auth: 'administrator',
  summary: 'Remove a code playground',
  pathParameters: { playground_id: pathId },
  response: z.object({}),
})
