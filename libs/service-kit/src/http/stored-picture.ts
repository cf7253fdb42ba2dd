import type { Readable } from 'node:stream'
import { AppError } from '@tms/contracts'
import { type ByteRange, FileAnswer } from './file-answer.ts'

/** The methods of a blob store that reading a file needs. */
interface Blobs {
  stat(name: string): Promise<{ readonly size: number } | null>
  get(name: string, range: ByteRange): Promise<Readable | null>
}

/**
 * Answers a public picture. Its name never refers to another one, so caches may keep it forever. Null for `blob` or
 * `contentType` means that no such picture exists. Throws NOT_FOUND.
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
