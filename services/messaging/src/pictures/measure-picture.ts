import { limits } from '@tms/contracts'
import { readHeader } from './picture-formats.ts'
import type { HeaderReader, PictureHeader } from './picture-header.ts'

/** Pixels, as the picture is shown. */
export interface PictureDimensions {
  readonly width: number
  readonly height: number
}

/** Parts of a header that are looked at. Real pictures have tens, long animations hundreds. */
const MAX_STEPS = 2_000

/** EXIF orientations from here on lie on their side. */
const FIRST_SIDEWAYS = 5

/** Learns a picture's dimensions from its bytes while they pass by. */
export interface PictureMeasure {
  /** The next bytes of the file. Keeps no more than a header's largest part, and never throws. */
  read(chunk: Buffer): void
  /** Null for what is no picture, and where its header doesn't say or is not to be believed. */
  dimensions(): PictureDimensions | null
}

/** Reads headers only, without decoding anything: whatever a file is, its bytes cost next to nothing. */
export function createPictureMeasure(): PictureMeasure {
  const header: PictureHeader = { size: null, orientation: 1 }
  const reader = readHeader(header)
  let wanted = reader.next()
  let taken: Buffer[] = []
  let missing = bytesOf(wanted)
  let steps = 0
  return {
    read: (chunk) => {
      let at = 0
      while (!wanted.done && at < chunk.length && steps < MAX_STEPS) {
        const part = chunk.subarray(at, at + missing)
        at += part.length
        missing -= part.length
        if ('take' in wanted.value) taken.push(part)
        if (missing > 0) continue
        wanted = reader.next(Buffer.concat(taken))
        taken = []
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
