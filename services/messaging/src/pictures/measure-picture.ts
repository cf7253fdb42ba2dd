import { limits } from '@tms/contracts'
import { readHeader } from './picture-formats.ts'
import type { HeaderReader, PictureHeader } from './picture-header.ts'

/** Pixels, as the picture is shown. */
export interface PictureDimensions {
  readonly width: number
  readonly height: number
}

/** Parts of a header that are read. Real pictures have tens, long animations hundreds. */
const MAX_STEPS = 2_000

/** EXIF orientations from this on are rotated by a quarter turn. */
const FIRST_SIDEWAYS = 5

/** Reads a picture's dimensions from its bytes while they are streamed. */
export interface PictureMeasure {
  /** Takes the next bytes of the file. Buffers no more than a header's largest part, and never throws. */
  read(chunk: Buffer): void
  /** Null if the file is no picture, or its header has no plausible dimensions. */
  dimensions(): PictureDimensions | null
}

/** Reads headers only, without decoding anything, so any file costs next to nothing. */
export function createPictureMeasure(): PictureMeasure {
  const header: PictureHeader = { size: null, orientation: 1 }
  const reader = readHeader(header)
  let wanted = reader.next()
  let chunks: Buffer[] = []
  let missing = bytesOf(wanted)
  let steps = 0
  return {
    read: (chunk) => {
      let at = 0
      while (!wanted.done && at < chunk.length && steps < MAX_STEPS) {
        const part = chunk.subarray(at, at + missing)
        at += part.length
        missing -= part.length
        if ('take' in wanted.value) chunks.push(part)
        if (missing > 0) continue
        wanted = reader.next(Buffer.concat(chunks))
        chunks = []
        missing = bytesOf(wanted)
        steps += 1
      }
    },
    dimensions: () => uprightSize(header),
  }
}

function bytesOf({ done, value }: ReturnType<HeaderReader['next']>): number {
  if (done) return 0
  return 'take' in value ? value.take : value.skip
}

function uprightSize({ size, orientation }: PictureHeader): PictureDimensions | null {
  if (size === null || !isBelievable(size.width) || !isBelievable(size.height)) return null
  return orientation < FIRST_SIDEWAYS ? size : { width: size.height, height: size.width }
}

const isBelievable = (side: number): boolean => side >= 1 && side <= limits.maxPictureSide
