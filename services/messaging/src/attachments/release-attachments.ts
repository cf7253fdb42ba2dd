import type { Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { type Claim, claimFor } from './claim-attachments.ts'
import { deleteFiles } from './delete-files.ts'
import { lockFiles } from './file.queries.ts'
import { type Linking, listLinkedFiles, listUnlinked, markUnused, removeLinks } from './link.queries.ts'

/**
 * To be called before messages are deleted, with their recipients locked: a file whose last message goes, goes with
 * it, and its owner is told (`attachment_removed`). Its blob is deleted soon after the commit. Costs one look-up
 * where no message links a file. Rejects, as the deletion then does, when the transaction can't go on.
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
 * To be called when a message's text changes, with its recipient locked: links the files that it links now, as
 * `claimAttachments` does, and lets go of the others. Those that nothing links any more stay for some weeks, since
 * an edit may bring them back.
 */
export function replaceAttachments(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  claim: Claim,
): Promise<void> {
  return replaceFor(tx, context, 'message', claim)
}

/**
 * The same for a scheduled message, whose files are kept while it waits: when it is made or changed, and with no path
 * IDs when it is deleted, or was sent (after the message that came of it has claimed its files). `messageId` is the
 * scheduled one's.
 */
export function replaceScheduledAttachments(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  claim: Claim,
): Promise<void> {
  return replaceFor(tx, context, 'scheduled message', claim)
}

async function replaceFor(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  linking: Linking,
  claim: Claim,
): Promise<void> {
  const linked = await listLinkedFiles(tx, linking, [claim.messageId])
  const wanted = new Set(claim.pathIds)
  const goneIds = linked.filter(({ pathId }) => !wanted.has(pathId)).map(({ id }) => id)
  for (const { pathId } of linked) wanted.delete(pathId)
  if (goneIds.length > 0) {
    await lockFiles(tx, goneIds)
    await removeLinks(tx, linking, [claim.messageId], goneIds)
    await markUnused(tx, goneIds, context.now())
  }
  await claimFor(tx, context, linking, { ...claim, pathIds: [...wanted] })
}
