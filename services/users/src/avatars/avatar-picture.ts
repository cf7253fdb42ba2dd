import { AppError } from '@tms/contracts'
import { openPicture } from '@tms/pictures'

const NORMAL_PX = 100
const MEDIUM_PX = 500

/** An avatar in both sizes, and the original file. */
export interface AvatarPicture {
  readonly original: Buffer
  readonly medium: Buffer
  readonly normal: Buffer
}

/**
 * Makes square avatars from the middle of a PNG, JPEG, GIF or WebP, without metadata. Throws BAD_IMAGE if the file
 * can't be decoded or is too large when decoded.
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
