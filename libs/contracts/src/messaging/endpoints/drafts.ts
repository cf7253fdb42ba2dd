import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, optionalJson, pathId } from '../../declarations/parameter.ts'
import { draftRecord, newDraft } from '../records.ts'

export const listDrafts = endpoint({
  name: 'listDrafts',
  owner: 'messaging',
  method: 'GET',
  path: '/drafts',
  auth: 'user',
  summary: 'List your drafts, oldest first',
  response: z.object({ count: z.int(), drafts: z.array(draftRecord) }),
})

export const createDrafts = endpoint({
  name: 'createDrafts',
  owner: 'messaging',
  method: 'POST',
  path: '/drafts',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Save drafts',
  parameters: {
    drafts: optionalJson(z.array(newDraft).max(limits.maxDrafts), {
      description: `You can have at most ${limits.maxDrafts}, of ${limits.maxUnsentMib} MiB in all.`,
    }),
  },
  response: z.object({ ids: z.array(z.int()) }),
})

export const updateDraft = endpoint({
  name: 'updateDraft',
  owner: 'messaging',
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Replace a draft',
  pathParameters: { draft_id: pathId },
  parameters: { draft: json(newDraft) },
  response: z.object({}),
  errors: ['NO_SUCH_OBJECT'],
})

export const deleteDraft = endpoint({
  name: 'deleteDraft',
  owner: 'messaging',
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Delete a draft',
  pathParameters: { draft_id: pathId },
  response: z.object({}),
  errors: ['NO_SUCH_OBJECT'],
})
