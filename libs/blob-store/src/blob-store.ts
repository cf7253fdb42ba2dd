import type { Readable } from 'node:stream'

/** The first and the last byte, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * A store of files: named blobs of bytes that never change. A name is a path of ASCII letters, digits, `_`, `-` and,
 * within a segment, dots; any other name is a bug and throws. All replicas see the same blobs. Calls reject with the
 * storage's own error when it can't be reached.
 */
export interface BlobStore {
  /**
   * Stores the stream's bytes without buffering them in memory, and returns their number. The whole blob exists when
   * this resolves; nothing of it exists when this rejects, for example because the stream broke off.
   */
  put(name: string, content: Readable, options: { contentType: string }): Promise<number>
  /** Opens a blob, or a range of it; null if the blob doesn't exist. */
  get(name: string, range?: ByteRange): Promise<Readable | null>
  /** Size in bytes; null if the blob doesn't exist. */
  stat(name: string): Promise<{ readonly size: number } | null>
  /** Succeeds even if the blob doesn't exist. */
  delete(name: string): Promise<void>
  /** The names that begin with the prefix, which ends in a slash or is empty. */
  list(prefix: string): AsyncIterable<string>
  /** Removes files that interrupted puts of any replica left behind at least a day ago. */
  sweep(): Promise<void>
  close(): void
}

const NAME = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/
const MAX_NAME_LENGTH = 500

/** Throws for an invalid name: names that users send must never get here unchecked. */
export function checkName(name: string): string {
  if (NAME.test(name) && name.length <= MAX_NAME_LENGTH) return name
  throw new Error(`${JSON.stringify(name)} is no name for a blob`)
}
