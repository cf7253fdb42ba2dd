import { AppError, type RealmPicture } from '@tms/contracts'
import { openPicture } from '@tms/pictures'

const ICON_PX = 100
/** At most eight times as wide as high, as clients have room for. */
const LOGO = { width: 800, height: 100 }

/**
 * Converts a PNG, JPEG, GIF or WebP to PNG, without metadata: an icon is the middle of the picture as a square, a
 * logo the whole picture. Throws BAD_IMAGE for an invalid or too large picture.
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
