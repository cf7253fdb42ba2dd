import { AppError } from '@tms/contracts'
import { openPicture } from '@tms/pictures'
import type { Sharp } from 'sharp'
import type { PictureExtension } from '../kernel/parts/emoji-files.ts'

/** The largest size that clients show; sharp at twice the size of text. */
const SIDE_PX = 64
const NOTHING = { r: 0, g: 0, b: 0, alpha: 0 }

/** An emoji's picture, and a still one if it is animated. */
export interface EmojiPicture {
  readonly extension: PictureExtension
  readonly content: Buffer
  readonly still: Buffer | null
}

/**
 * Converts a PNG, JPEG, GIF or WebP to an emoji: the whole picture within a square, without metadata. Throws
 * BAD_IMAGE for an invalid or too large picture.
 */
export async function makeEmojiPicture(file: Buffer): Promise<EmojiPicture> {
  try {
    const { format, pages = 1 } = await openPicture(file, { animated: true }).metadata()
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
  return openPicture(file, { animated }).resize(SIDE_PX, SIDE_PX, { fit: 'contain', background: NOTHING })
}
