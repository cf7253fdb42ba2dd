import { createHash } from 'node:crypto'
import type { RawEntry } from '@tms/service-kit'
import type { LogRecord } from './entry.ts'

/** A place in the log, and what stood there: by that a log is known again, however long it is. */
export interface KnownOffset {
  readonly offset: number
  /** Null where it isn't known, as in a log that had nothing yet. */
  readonly mark: string | null
}

/** What tells the entry with this text from every other. */
export const markOf = (body: string): string => createHash('sha1').update(body).digest('base64')

/** The mark of a record, made once for all partitions. */
export function markOfRecord({ body, cache }: LogRecord): string {
  const made = (cache.get('mark') as string | undefined) ?? markOf(body)
  cache.set('mark', made)
  return made
}

/** Where to begin to read, so that the first entry shows whether the log is the one that the place was in. */
export const firstToRead = ({ offset, mark }: KnownOffset): number => (mark === null ? offset + 1 : offset)

/**
 * What the first entry of a reading shows. `known`: it stands at the place itself, and nothing is to be done with it. `follows`:
 * it comes next, since the place's own is not there any more or was not asked for. `dropped`: what came between is gone, as what
 * is too old goes. `lost`: the log is another.
 */
export function judgeFirst(place: KnownOffset, first: RawEntry): 'known' | 'follows' | 'dropped' | 'lost' {
  if (first.offset === place.offset + 1) return 'follows'
  if (first.offset > place.offset) return 'dropped'
  return first.offset === place.offset && markOf(first.body) === place.mark ? 'known' : 'lost'
}
