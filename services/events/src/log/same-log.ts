import { createHash } from 'node:crypto'
import type { RawEntry } from '@tms/service-kit'
import type { LogRecord } from './entry.ts'

/** An offset of the log and the mark of the entry there. The mark identifies the log even if a new one has grown as long. */
export interface KnownOffset {
  readonly offset: number
  /** A digest of the entry; null if it isn't known, as in an empty log. */
  readonly mark: string | null
}

export const markOf = (body: string): string => createHash('sha1').update(body).digest('base64')

/** The mark of a record, computed once for all partitions. */
export function markOfRecord({ body, cache }: LogRecord): string {
  const mark = (cache.get('mark') as string | undefined) ?? markOf(body)
  cache.set('mark', mark)
  return mark
}

/** The offset to read first, so that its entry shows whether the log is still the one that the offset belonged to. */
export const firstOffsetToRead = ({ offset, mark }: KnownOffset): number =>
  mark === null ? offset + 1 : offset

/**
 * Compares the first entry read with a known offset. `known`: it is the entry at that offset, which was applied before.
 * `follows`: it is the next one, because the known entry was dropped as too old or wasn't requested. `dropped`: the entries in
 * between were dropped as too old. `lost`: the log is another one.
 */
export function checkFirstEntry(
  known: KnownOffset,
  first: RawEntry,
): 'known' | 'follows' | 'dropped' | 'lost' {
  if (first.offset === known.offset + 1) return 'follows'
  if (first.offset > known.offset) return 'dropped'
  return first.offset === known.offset && markOf(first.body) === known.mark ? 'known' : 'lost'
}
