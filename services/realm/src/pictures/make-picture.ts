import { AppError, type RealmPicture } from '@tms/contracts'
import { openPicture } from '@tms/pictures'

const ICON_PX = 100
/** Eight times as wide as high at most, as clients have room for. */
const LOGO = { width: 800, height: 100 }

/**
 * Makes an icon, the middle of a picture as a square, or a logo, all of it, of a PNG, JPEG, GIF or WebP: as PNG, with nothing else that
 * the file said. Throws BAD_IMAGE for what can't be read, or is too large once it is.
 */
export async function makePicture(file: Buffer, picture: RealmPicture): Promise<Buffer> {
  try {
    const opened = openPicture(file)
    const resized =
      picture === 'icon'
        ? opened.resize(ICON_PX, ICON_PX, { fit: 'cover' })
        : opened.resize({ ...LOGO, fit: 'inside', withoutEnlargement: true })
    return await resized.toColourspace('srgb').png().toBuffer()
  } catch (cause) {
    throw new AppError('BAD_IMAGE', { cause })
  }
}
