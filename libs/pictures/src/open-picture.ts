import { createRequire } from 'node:module'
import type { Sharp } from 'sharp'

/** Of all frames together: what a picture of a few bytes may want in memory, four bytes each. */
const MAX_PIXELS = 25_000_000
const TIMEOUT_SECONDS = 10

type Library = typeof import('sharp')['default']

let library: Library | null = null

/**
 * Loads the library with the first picture: it takes 15 MB, which most processes never need. It reads pictures of the formats
 * of the web, and no other.
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
 * Opens a picture, with all its frames or only the first; one that doesn't move stands upright, as its camera was held. Whatever
 * is then made of it rejects for what is no picture, wants too much memory, or takes too long.
 */
export function openPicture(file: Buffer, { animated = false } = {}): Sharp {
  const picture = loadLibrary()(file, { limitInputPixels: MAX_PIXELS, animated }).timeout({
    seconds: TIMEOUT_SECONDS,
  })
  // Only what doesn't move is ever turned by its camera.
  return animated ? picture : picture.autoOrient()
}
