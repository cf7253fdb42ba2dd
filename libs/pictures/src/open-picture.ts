import sharp, { type Sharp } from 'sharp'

/** Of all frames together: what a picture of a few bytes may want in memory, four bytes each. */
const MAX_PIXELS = 25_000_000
const TIMEOUT_SECONDS = 10

/** From now on, this process reads pictures of the formats of the web, and no other. */
export function allowOnlyWebPictures(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
  })
}

/**
 * Opens a picture, with all its frames or only the first; one that doesn't move stands upright, as its camera was held. Whatever
 * is then made of it rejects for what is no picture, wants too much memory, or takes too long.
 */
export function openPicture(file: Buffer, { animated = false } = {}): Sharp {
  const picture = sharp(file, { limitInputPixels: MAX_PIXELS, animated }).timeout({
    seconds: TIMEOUT_SECONDS,
  })
  // Only what doesn't move is ever turned by its camera.
  return animated ? picture : picture.autoOrient()
}
