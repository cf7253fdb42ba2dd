import { AppError } from '@tms/contracts'
import { openPicture } from '@tms/pictures'

const NORMAL_PX = 100
const MEDIUM_PX = 500

/** A picture as an avatar, in both sizes, and as it was sent. */
export interface AvatarPicture {
  readonly original: Buffer
  readonly medium: Buffer
  readonly normal: Buffer
}

/**
 * Makes an avatar of a PNG, JPEG, GIF or WebP: the middle of it as squares, with nothing else that the file said. Throws BAD_IMAGE
 * for what can't be read, or is too large once it is.
 */
export async function makeAvatarPicture(file: Buffer): Promise<AvatarPicture> {
  try {
    const square = (side: number) =>
      openPicture(file).resize(side, side, { fit: 'cover' }).toColourspace('srgb').png().toBuffer()
    return { original: file, medium: await square(MEDIUM_PX), normal: await square(NORMAL_PX) }
  } catch (cause) {
    throw new AppError('BAD_IMAGE', { cause })
  }
}
