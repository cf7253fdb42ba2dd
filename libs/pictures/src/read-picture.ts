import { badRequest, limits, maxPictureBytes } from '@tms/contracts'

/** A sent picture in memory. Throws BAD_REQUEST for one of more bytes than any picture may have. */
export async function readPicture(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > maxPictureBytes) throw badRequest(`The file is larger than ${limits.maxPictureMib} MiB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
