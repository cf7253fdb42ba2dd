import { createRequire } from 'node:module'
import type { Sharp } from 'sharp'

/** Of all frames together, four bytes each: a picture of a few bytes can claim any size. */
const MAX_PIXELS = 25_000_000
const TIMEOUT_SECONDS = 10

type Library = typeof import('sharp')['default']

let library: Library | null = null

/**
 * Loads the library with the first picture: it takes 15 MB, which most processes never need. It reads the formats of
 * pictures on the web and no others.
 */
function loadLibrary(): Library {
  if (library) return library
  const sharp = createRequire(import.meta.url)('sharp') as Library
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
  })
  library = sharp
  return sharp
}

/**
 * Opens a picture with all its frames or only the first. A still picture is turned upright, as its camera was held.
 * Operations on the result reject if the file is no picture, needs too much memory, or takes too long.
 */
export function openPicture(file: Buffer, { animated = false } = {}): Sharp {
  const picture = loadLibrary()(file, { limitInputPixels: MAX_PIXELS, animated }).timeout({
    seconds: TIMEOUT_SECONDS,
  })
  // Animations have no camera's orientation.
  return animated ? picture : picture.autoOrient()
}
