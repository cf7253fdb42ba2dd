import { badRequest, type internal } from '@tms/contracts'
import { deleteFiles, type InternalHandler, runDeletion } from '@tms/service-kit'
import { blobFolderOf } from '../attachments/path-id.rules.ts'
import type { Context } from '../kernel/context.ts'
import {
  deleteAttachments,
  deleteBlobRecords,
  deleteGroups,
  deleteRecipients,
  deleteUploadSpace,
  deleteUsers,
  isKnownAsActive,
  pendingWork,
} from './deletion.queries.ts'

/** In an order that foreign keys allow. Users come after messages, on which most of their rows are. */
const steps = [
  ...pendingWork,
  deleteAttachments,
  deleteRecipients,
  deleteUsers,
  deleteGroups,
  deleteUploadSpace,
  deleteFiles((realmId) => [blobFolderOf(realmId)]),
  deleteBlobRecords,
]

/** Deletes messaging's part of an organization that is being deleted, for some seconds. Throws BAD_REQUEST for an active one. */
export const handleDeleteRealmData: InternalHandler<
  typeof internal.messaging.deleteRealmData,
  Context
> = async ({ realm_id }, context) => {
  if (await isKnownAsActive(context.db, realm_id)) throw badRequest('The organization is active')
  return runDeletion(steps, context, realm_id)
}
