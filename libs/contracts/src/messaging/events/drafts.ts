import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { draftRecord } from '../records.ts'

const user_id = z.int()

export const draftsCreated = domainEvent({
  name: 'messaging.drafts_created.v1',
  producer: 'messaging',
  summary: 'A user saved drafts',
  payload: z.object({ user_id, drafts: z.array(draftRecord) }),
  audience: (payload) => [{ kind: 'users', userIds: [payload.user_id] }],
  audit: { none: 'A draft is content, and seen by its author alone.' },
})

export const draftUpdated = domainEvent({
  name: 'messaging.draft_updated.v1',
  producer: 'messaging',
  summary: 'A user changed a draft',
  payload: z.object({ user_id, draft: draftRecord }),
  audience: (payload) => [{ kind: 'users', userIds: [payload.user_id] }],
  audit: { none: 'A draft is content, and seen by its author alone.' },
})

export const draftDeleted = domainEvent({
  name: 'messaging.draft_deleted.v1',
  producer: 'messaging',
  summary: 'A user deleted a draft',
  payload: z.object({ user_id, draft_id: z.int() }),
  audience: (payload) => [{ kind: 'users', userIds: [payload.user_id] }],
  audit: { none: 'A draft is content, and seen by its author alone.' },
})
