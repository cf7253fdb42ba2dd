import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

/** `attachment` `add`, to the user who uploaded the file. */
export const presentAttachmentAdded = present(domainEvents.messaging.attachmentAdded, {
  list: () => [{ index: 0, type: 'attachment' }],
  write: ({ attachment, upload_space_used }) =>
    fieldsOf({ type: 'attachment', op: 'add', attachment, upload_space_used }),
})

/** `attachment` `update`, to the sender of the message that links the file. */
export const presentAttachmentUpdated = present(domainEvents.messaging.attachmentUpdated, {
  list: () => [{ index: 0, type: 'attachment' }],
  write: ({ attachment, upload_space_used }) =>
    fieldsOf({ type: 'attachment', op: 'update', attachment, upload_space_used }),
})

export const presentAttachmentRemoved = present(domainEvents.messaging.attachmentRemoved, {
  list: () => [{ index: 0, type: 'attachment' }],
  write: ({ attachment_id, upload_space_used }) =>
    fieldsOf({ type: 'attachment', op: 'remove', attachment: { id: attachment_id }, upload_space_used }),
})
