import { AppError } from '@tms/contracts'
import sharp, { type Sharp } from 'sharp'
import type { PictureExtension } from './emoji-files.ts'

/** What clients show at most; sharp at twice the size of text. */
const SIDE_PX = 64
/** Of all frames together: what a picture of a few bytes may want in memory, four bytes each. */
const MAX_PIXELS = 25_000_000
const TIMEOUT_SECONDS = 10
const NOTHING = { r: 0, g: 0, b: 0, alpha: 0 }

/** A picture as an emoji, and one that does not move if it does. */
export interface EmojiPicture {
  readonly extension: PictureExtension
  readonly content: Buffer
  readonly still: Buffer | null
}

/** From now on, this process reads pictures of the formats of the web, and no other. */
export function allowOnlyWebPictures(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
  })
}

/**
 * Makes an emoji of a PNG, JPEG, GIF or WebP, whole within a square, with nothing else that the file said. Throws
 * BAD_IMAGE for what can't be read, or is too large once it is.
 */
export async function makeEmojiPicture(file: Buffer): Promise<EmojiPicture> {
  try {
    const { format, pages = 1 } = await sharp(file, {
      limitInputPixels: MAX_PIXELS,
      animated: true,
    }).metadata()
    const still = await shrink(file, false).png().toBuffer()
    if (pages === 1) return { extension: 'png', content: still, still: null }
    const moving = shrink(file, true)
    return format === 'gif'
      ? { extension: 'gif', content: await moving.gif().toBuffer(), still }
      : { extension: 'webp', content: await moving.webp().toBuffer(), still }
  } catch (cause) {
    throw new AppError('BAD_IMAGE', { cause })
  }
}

function shrink(file: Buffer, animated: boolean): Sharp {
  const picture = sharp(file, { limitInputPixels: MAX_PIXELS, animated }).timeout({
    seconds: TIMEOUT_SECONDS,
  })
  // Only what doesn't move is ever turned by its camera.
  const upright = animated ? picture : picture.autoOrient()
  return upright.resize(SIDE_PX, SIDE_PX, { fit: 'contain', background: NOTHING })
}
