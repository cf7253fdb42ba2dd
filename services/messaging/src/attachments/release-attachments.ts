import type { Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { type Claim, linkFiles } from './claim-attachments.ts'
import { deleteFiles } from './delete-files.ts'
import { lockFiles, lockFilesByPathId } from './file.queries.ts'
import { type LinkSource, listLinkedFiles, listUnlinked, markUnused, removeLinks } from './link.queries.ts'

/**
 * Call it before messages are deleted, with their recipients locked: files whose last link goes are deleted too, which
 * is published to their owners (`attachment_removed`). Blobs are deleted soon after the commit. Costs one query if no
 * message links a file. If it rejects, the transaction and the deletion fail.
 */
export async function releaseAttachments(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  messageIds: readonly number[],
  requestId: string | null,
): Promise<void> {
  const files = await listLinkedFiles(tx, 'message', messageIds)
  if (files.length === 0) return
  const fileIds = files.map(({ id }) => id)
  await lockFiles(tx, fileIds)
  await removeLinks(tx, 'message', messageIds, fileIds)
  await deleteFiles(tx, context, await listUnlinked(tx, fileIds), requestId)
}

/**
 * Call it when a message's text changes, with its recipient locked: links the files of the new text, as
 * `claimAttachments` does, and removes links to the others. Returns the IDs of files whose last link went: they stay for
 * some weeks, since an edit may link them again.
 */
export function replaceAttachments(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  claim: Claim,
): Promise<number[]> {
  return replaceLinks(tx, context, 'message', claim)
}

/**
 * The same for a scheduled message, whose files are kept while it waits. Call it when the message is created or
 * changed; without path IDs when it is deleted, or was sent and the sent message has claimed its files. `messageId` is
 * that of the scheduled message.
 */
export async function replaceScheduledAttachments(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  claim: Claim,
): Promise<void> {
  await replaceLinks(tx, context, 'scheduled message', claim)
}

async function replaceLinks(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  source: LinkSource,
  claim: Claim,
): Promise<number[]> {
  const linked = await listLinkedFiles(tx, source, [claim.messageId])
  const wanted = new Set(claim.pathIds)
  const unlinked = linked.filter(({ pathId }) => !wanted.has(pathId))
  for (const { pathId } of linked) wanted.delete(pathId)
  let unused: number[] = []
  if (unlinked.length > 0) {
    const unlinkedIds = unlinked.map(({ id }) => id)
    // With the files that will be linked, so that all are locked by ID.
    await lockFilesByPathId(tx, claim.sender.realmId, [...unlinked.map(({ pathId }) => pathId), ...wanted])
    await removeLinks(tx, source, [claim.messageId], unlinkedIds)
    unused = await markUnused(tx, unlinkedIds, context.now())
  }
  await linkFiles(tx, context, source, { ...claim, pathIds: [...wanted] })
  return unused
}
