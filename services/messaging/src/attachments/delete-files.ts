import { domainEvents } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { scheduleBlobDeletion } from './blob-to-delete.queries.ts'
import { deleteFileRows } from './file.queries.ts'
import { blobNameOf } from './path-id.rules.ts'
import { freeSpace } from './upload-space.queries.ts'

/** Deletes files and publishes that to their owners. Needs their locks. The blobs are deleted after the commit. */
export async function deleteFiles(
  tx: Tx,
  { publish, now }: Pick<Context, 'publish' | 'now'>,
  fileIds: readonly number[],
  requestId: string | null,
): Promise<void> {
  if (fileIds.length === 0) return
  const deleted = await deleteFileRows(tx, fileIds)
  const names = deleted.map(({ pathId }) => blobNameOf(pathId))
  await scheduleBlobDeletion(tx, names, now())
  // In a fixed order, since each organization's sum stays locked until the end.
  const inOrder = deleted.toSorted((a, b) => a.realmId - b.realmId || a.id - b.id)
  for (const { id, realmId, ownerId, size } of inOrder) {
    const upload_space_used = await freeSpace(tx, realmId, size)
    const payload = { user_id: ownerId, attachment_id: id, upload_space_used }
    await publish(tx, domainEvents.messaging.attachmentRemoved, payload, { realmId, requestId })
  }
}
