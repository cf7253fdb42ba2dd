import type { Readable } from 'node:stream'
import { AppError } from '@tms/contracts'
import { type ByteRange, FileAnswer } from './file-answer.ts'

/** What of a blob store it takes to give a file. */
interface Blobs {
  stat(name: string): Promise<{ readonly size: number } | null>
  get(name: string, range: ByteRange): Promise<Readable | null>
}

/**
 * Gives a picture to anyone who knows where it is. Its name never stands for another one, so it may be kept for good.
 * Null for `blob` or `contentType` is a name that no picture has. Throws NOT_FOUND.
 */
export async function answerPicture(
  blobs: Blobs,
  { blob, contentType, tag }: { blob: string | null; contentType: string | null; tag: string },
): Promise<FileAnswer> {
  const found = blob === null || contentType === null ? null : await blobs.stat(blob)
  if (blob === null || contentType === null || found === null) throw noSuchPicture()
  return new FileAnswer({
    contentType,
    disposition: 'inline',
    size: found.size,
    tag,
    isForEveryone: true,
    open: async (range) => {
      const content = await blobs.get(blob, range)
      if (!content) throw noSuchPicture()
      return content
    },
  })
}

function noSuchPicture(): AppError {
  return new AppError('NOT_FOUND', { message: 'There is no such picture' })
}
