import { Readable } from 'node:stream'
import { createPictureMeasure, type PictureDimensions } from './measure-picture.ts'

/**
 * Passes a file through, and measures it if it is a picture; the dimensions are known once it was read. If either side
 * aborts, so does the other.
 */
export function measureWhileRead(file: Readable): {
  stream: Readable
  dimensions: () => PictureDimensions | null
} {
  const measure = createPictureMeasure()
  const stream = Readable.from(passThrough(file, measure.read), { objectMode: false })
  return { stream, dimensions: measure.dimensions }
}

async function* passThrough(file: Readable, read: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of file as AsyncIterable<Buffer>) {
    read(chunk)
    yield chunk
  }
}
