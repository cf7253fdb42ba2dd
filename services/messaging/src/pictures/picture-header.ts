/** What a picture's header said so far. */
export interface PictureHeader {
  /** Pixels, as they are stored. */
  size: { readonly width: number; readonly height: number } | null
  /** EXIF: 1 to 8, of which 1 is upright. */
  orientation: number
}

/** Asks for bytes to look at, or to pass over; at least one. */
export type HeaderReader = Generator<{ take: number } | { skip: number }, void, Buffer>

/** The next bytes, exactly so many. */
export function* take(count: number): Generator<{ take: number }, Buffer, Buffer> {
  return count > 0 ? yield { take: count } : Buffer.alloc(0)
}

/** Passes over bytes, of which none is kept. */
export function* skip(count: number): Generator<{ skip: number }, void, Buffer> {
  if (count > 0) yield { skip: count }
}
