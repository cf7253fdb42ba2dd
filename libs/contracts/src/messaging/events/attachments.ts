import { z } from 'zod'
import { type Audience, domainEvent } from '../../domain-event.ts'
import { attachmentRecord } from '../records.ts'

/** Of one user's files, and of all files of the organization: bytes. */
const uploadSpace = { user_id: z.int(), upload_space_used: z.int() }
const ofUser = ({ user_id }: { user_id: number }): Audience => [{ kind: 'users', userIds: [user_id] }]

export const attachmentAdded = domainEvent({
  name: 'messaging.attachment_added.v1',
  producer: 'messaging',
  summary: 'A file was uploaded',
  payload: z.object({ ...uploadSpace, attachment: attachmentRecord }),
  audience: ofUser,
})

/** To the user whose message it is. */
export const attachmentUpdated = domainEvent({
  name: 'messaging.attachment_updated.v1',
  producer: 'messaging',
  summary: 'Which messages link a file changed',
  payload: z.object({ ...uploadSpace, attachment: attachmentRecord }),
  audience: ofUser,
})

export const attachmentRemoved = domainEvent({
  name: 'messaging.attachment_removed.v1',
  producer: 'messaging',
  summary: 'A file was deleted',
  payload: z.object({ ...uploadSpace, attachment_id: z.int() }),
  audience: ofUser,
})
