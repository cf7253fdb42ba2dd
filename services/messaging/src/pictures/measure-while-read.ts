import { Readable } from 'node:stream'
import { createPictureMeasure, type PictureDimensions } from './measure-picture.ts'

/**
 * The same bytes, and once they were read, the dimensions of the picture that they are. Whichever side breaks off, the other
 * does too.
 */
export function measureWhileRead(file: Readable): {
  stream: Readable
  dimensions: () => PictureDimensions | null
} {
  const measure = createPictureMeasure()
  const stream = Readable.from(passOn(file, measure.read), { objectMode: false })
  return { stream, dimensions: measure.dimensions }
}

async function* passOn(file: Readable, look: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of file as AsyncIterable<Buffer>) {
    look(chunk)
    yield chunk
  }
}
