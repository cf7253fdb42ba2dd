import { z } from 'zod'
import { type Audience, domainEvent } from '../../declarations/domain-event.ts'
import { attachmentRecord } from '../records.ts'

/** The owner, and the bytes of all files of the organization. */
const uploadSpace = { user_id: z.int(), upload_space_used: z.int() }
const ofUser = ({ user_id }: { user_id: number }): Audience => [{ kind: 'users', userIds: [user_id] }]

export const attachmentAdded = domainEvent({
  name: 'messaging.attachment_added.v1',
  producer: 'messaging',
  summary: 'A file was uploaded',
  payload: z.object({ ...uploadSpace, attachment: attachmentRecord }),
  audience: ofUser,
  audit: { none: 'A file is content, like the message that links it.' },
})

/** Sent to the owner of the file. */
export const attachmentUpdated = domainEvent({
  name: 'messaging.attachment_updated.v1',
  producer: 'messaging',
  summary: 'The messages that link a file changed',
  payload: z.object({ ...uploadSpace, attachment: attachmentRecord }),
  audience: ofUser,
  audit: { none: 'It follows from a message.' },
})

export const attachmentRemoved = domainEvent({
  name: 'messaging.attachment_removed.v1',
  producer: 'messaging',
  summary: 'A file was deleted',
  payload: z.object({ ...uploadSpace, attachment_id: z.int() }),
  audience: ofUser,
  audit: {
    actions: { file_deleted: 'A file was deleted, or removed because no message links it' },
    entries: ({ user_id, attachment_id }) => [
      {
        action: 'file_deleted',
        target: { type: 'file', ids: [attachment_id] },
        details: { owner_id: user_id },
      },
    ],
  },
})
