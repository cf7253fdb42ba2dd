import type { Readable } from 'node:stream'

/** The first and the last byte, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Where files are kept: named blobs of bytes that never change. Names are paths of ASCII letters, digits, `_`, `-`
 * and, within a segment, dots; another name is a defect and throws. All replicas see the same blobs. Calls reject
 * with the storage's own error when it can't be reached.
 */
export interface BlobStore {
  /**
   * Stores what the stream gives, without holding it in memory, and returns its size in bytes. The blob is there
   * whole once this resolves; when it rejects, as it does when the stream breaks off, nothing of it is.
   */
  put(name: string, content: Readable, options: { contentType: string }): Promise<number>
  /** Opens a blob, or the part of it; null when there is none. */
  get(name: string, range?: ByteRange): Promise<Readable | null>
  /** Size in bytes; null when there is no such blob. */
  stat(name: string): Promise<{ readonly size: number } | null>
  /** Afterwards there is no such blob, whether there was one or not. */
  delete(name: string): Promise<void>
  /** The names that begin with the prefix, which ends in a slash or is empty. */
  list(prefix: string): AsyncIterable<string>
  /** Removes what interrupted puts of a day ago or more left behind, of any replica. */
  sweep(): Promise<void>
  close(): void
}

const NAME = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/
const MAX_NAME_LENGTH = 500

/** Throws for a name that a store can't have: what users send must not get here as it is. */
export function checkName(name: string): string {
  if (NAME.test(name) && name.length <= MAX_NAME_LENGTH) return name
  throw new Error(`${JSON.stringify(name)} is no name for a blob`)
}
