import { Readable } from 'node:stream'
import { fileTooLarge, type internal, limits, maxFileUploadBytes } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { checkQuota, storeUpload } from '../attachments/store-upload.ts'
import type { Context } from '../kernel/context.ts'

/** Stores an attachment of a mail as an upload of the user, within the limits of other uploads. */
export const handleUploadMailAttachment: InternalHandler<
  typeof internal.messaging.uploadMailAttachment,
  Context
> = async (
  { realm_id: realmId, user_id: userId, name, content_type: contentType },
  context,
  requestId,
  content,
) => {
  const { role } = await context.projections.getUser(userId)
  const caller = { realmId, userId, role, isBot: false }
  await checkQuota(context, caller, 1)
  const stream = Readable.from(bounded(content), { objectMode: false })
  const { url, filename } = await storeUpload(context, { caller, requestId }, (consume) =>
    consume({ name, contentType, stream }),
  )
  return { url, filename }
}

async function* bounded(content: Readable): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxFileUploadBytes) throw fileTooLarge(limits.maxFileUploadMib)
    yield chunk
  }
}
