import { domainEvents } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { canReadFile } from '../kernel/access/file.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listRecords } from './attachment-record.queries.ts'
import { listFiles, lockFilesByPathId } from './file.queries.ts'
import { addLinks, type LinkSource } from './link.queries.ts'
import { findSpaceUsed } from './upload-space.queries.ts'

/** A message that links files. */
export interface Claim {
  readonly sender: Pick<Caller, 'userId' | 'realmId' | 'role' | 'channelIds'>
  readonly messageId: number
  /**
   * Uploads that its text links (`uploadPathIds` of the rendering). Those that are no file of the realm are ignored.
   */
  readonly pathIds: readonly string[]
  readonly requestId: string | null
}

/**
 * Links files to a message that was just stored: only those that its sender may read, so that nobody gives others
 * access to a file by guessing its URL, and none by an API token that is limited to channels. Readers of the message may read the files from then on. Publishes each file to
 * the sender (`attachment_updated`). Locks the files.
 */
export function claimAttachments(tx: Tx, context: Pick<Context, 'publish'>, claim: Claim): Promise<void> {
  return linkFiles(tx, context, 'message', claim)
}

/** The same for either kind of message. */
export async function linkFiles(
  tx: Tx,
  { publish }: Pick<Context, 'publish'>,
  source: LinkSource,
  { sender, messageId, pathIds, requestId }: Claim,
): Promise<void> {
  if (pathIds.length === 0 || sender.channelIds) return
  await lockFilesByPathId(tx, sender.realmId, pathIds)
  const files = await listFiles(tx, pathIds, sender)
  const fileIds = files
    .filter((file) => file.realmId === sender.realmId && canReadFile(sender, file))
    .map(({ id }) => id)
  if (fileIds.length === 0) return
  await addLinks(tx, source, messageId, fileIds)
  const upload_space_used = await findSpaceUsed(tx, sender.realmId)
  for (const attachment of await listRecords(tx, fileIds)) {
    const payload = { user_id: sender.userId, attachment, upload_space_used }
    await publish(tx, domainEvents.messaging.attachmentUpdated, payload, {
      realmId: sender.realmId,
      requestId,
    })
  }
}
