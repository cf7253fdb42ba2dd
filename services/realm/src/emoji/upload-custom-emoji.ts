import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { domainEvents, type endpoints } from '@tms/contracts'
import { readPicture } from '@tms/pictures'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { blobNameOf, pictureTypes, stillNameOf } from '../kernel/parts/emoji-files.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'
import { insertEmoji } from './custom-emoji.queries.ts'
import { checkEmojiName, checkNameIsFree } from './emoji-name.rules.ts'
import { makeEmojiPicture } from './emoji-picture.ts'
import { checkEmojiRoom } from './emoji-room.rules.ts'
import { checkMayAddEmoji } from './may-add-emoji.ts'

/** Adds a custom emoji from the body's one picture. Throws BAD_REQUEST or BAD_IMAGE. */
export const handleUploadCustomEmoji: Handler<typeof endpoints.realm.uploadCustomEmoji, Context> = async ({
  input,
  caller,
  context,
  requestId,
  receiveFile,
}) => {
  const { realmId, userId, role } = caller
  const name = checkEmojiName(input.emoji_name)
  const organization = await getOrganization(context.prisma, realmId)
  await checkMayAddEmoji(context, caller, organization)
  checkNameIsFree(name, organization.customEmoji, role)
  checkEmojiRoom(organization.customEmoji)

  const { extension, content, still } = await makeEmojiPicture(
    await receiveFile(({ stream }) => readPicture(stream)),
  )
  const fileName = `${randomBytes(16).toString('hex')}.${extension}`
  const files = [
    { blob: blobNameOf(realmId, fileName), content, contentType: pictureTypes[extension] },
    ...(still
      ? [{ blob: blobNameOf(realmId, stillNameOf(fileName)), content: still, contentType: pictureTypes.png }]
      : []),
  ]
  try {
    for (const { blob, content: bytes, contentType } of files)
      await context.blobs.put(blob, Readable.from([bytes]), { contentType })
    const { customEmojiChanged } = domainEvents.realm
    await changeOrganization(
      context,
      customEmojiChanged,
      { realmId, requestId },
      async (tx, { customEmoji }) => {
        checkNameIsFree(name, customEmoji, role)
        checkEmojiRoom(customEmoji)
        await insertEmoji(tx, { realmId, name, fileName, isAnimated: still !== null, authorId: userId })
      },
    )
  } catch (err) {
    // A file that can't be removed now is a few kilobytes without a reference.
    await Promise.allSettled(files.map(({ blob }) => context.blobs.delete(blob)))
    throw err
  }
  return {}
}
