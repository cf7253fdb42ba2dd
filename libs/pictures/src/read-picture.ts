import { fileTooLarge, limits, maxPictureBytes } from '@tms/contracts'

/** Reads an uploaded picture into memory. Throws FILE_TOO_LARGE if it has more bytes than a picture may have. */
export async function readPicture(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > maxPictureBytes) throw fileTooLarge(limits.maxPictureMib)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
