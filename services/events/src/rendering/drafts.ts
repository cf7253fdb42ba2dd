import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

const { draftsCreated, draftUpdated, draftDeleted } = domainEvents.messaging

/** `drafts` `add`, to the author. */
export const presentDraftsCreated = present(draftsCreated, {
  list: () => [{ index: 0, type: 'drafts' }],
  write: ({ drafts }) => fieldsOf({ type: 'drafts', op: 'add', drafts }),
})

export const presentDraftUpdated = present(draftUpdated, {
  list: () => [{ index: 0, type: 'drafts' }],
  write: ({ draft }) => fieldsOf({ type: 'drafts', op: 'update', draft }),
})

export const presentDraftDeleted = present(draftDeleted, {
  list: () => [{ index: 0, type: 'drafts' }],
  write: ({ draft_id }) => fieldsOf({ type: 'drafts', op: 'remove', draft_id }),
})
