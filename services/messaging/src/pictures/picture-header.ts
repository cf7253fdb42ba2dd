/** What is known from a picture's header so far. */
export interface PictureHeader {
  /** Pixels, as they are stored. */
  size: { readonly width: number; readonly height: number } | null
  /** EXIF: 1 to 8, of which 1 is upright. */
  orientation: number
}

/** Requests bytes to read, or to skip; at least one. */
export type HeaderReader = Generator<{ take: number } | { skip: number }, void, Buffer>

/** Returns exactly this many bytes. */
export function* take(count: number): Generator<{ take: number }, Buffer, Buffer> {
  return count > 0 ? yield { take: count } : Buffer.alloc(0)
}

/** Skips bytes without buffering them. */
export function* skip(count: number): Generator<{ skip: number }, void, Buffer> {
  if (count > 0) yield { skip: count }
}
