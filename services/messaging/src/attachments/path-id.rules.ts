import { randomBytes, randomInt } from 'node:crypto'

/** Where a file's URL begins. */
export const UPLOADS_PATH = '/user_uploads/'

/** Bytes of the part of a URL that nobody can guess. */
const RANDOM_BYTES = 18
/** Bytes of UTF-8: a URL has three times as many, and routers take some hundred. */
const MAX_NAME_BYTES = 120
const MAX_EXTENSION_BYTES = 20

/** A new path ID: realm, a shard, something that nobody can guess, and the name as it may stand in a URL. */
export function createPathId(realmId: number, name: string): string {
  const shard = randomInt(256).toString(16)
  return [realmId, shard, randomBytes(RANDOM_BYTES).toString('base64url'), urlNameOf(name)].join('/')
}

const BLOB_FOLDER = 'attachments/'

/** What the names of the blobs of an organization's files begin with. */
export function blobFolderOf(realmId: number): string {
  return `${BLOB_FOLDER}${realmId}/`
}

/** The name of a file's blob: its path ID without what a user chose. */
export function blobNameOf(pathId: string): string {
  return BLOB_FOLDER + pathId.split('/').slice(0, 3).join('/')
}

/** What the path ID of a blob's file begins with, before a slash. */
export function pathOfBlob(blobName: string): string {
  return blobName.slice(BLOB_FOLDER.length)
}

/** The last part of a path ID. */
export function nameInUrl(pathId: string): string {
  return pathId.slice(pathId.lastIndexOf('/') + 1)
}

const FALLBACK_NAME = 'uploaded-file'
/** A dot in front hides a file; none of these at the end would be taken for a part of a link. */
const UNSEEMLY_ENDS = /^[-.]+|[-._]+$/g

/**
 * What of a file's name may stand in a URL: letters, digits and marks of any script, `_`, dots and dashes. White
 * space becomes dashes; a long name is cut before its extension.
 */
export function urlNameOf(name: string): string {
  // Compatibility forms first: among them are other dots and slashes.
  const kept = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_.\s-]/gu, '')
    .replace(/[-\s]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(UNSEEMLY_ENDS, '')
  const dotAt = kept.lastIndexOf('.')
  const extension = dotAt > 0 ? kept.slice(dotAt) : ''
  const hasExtension = Buffer.byteLength(extension) <= MAX_EXTENSION_BYTES
  const tail = hasExtension ? extension : ''
  const stem = kept.slice(0, kept.length - tail.length)
  const shortened = cut(stem, MAX_NAME_BYTES - Buffer.byteLength(tail))
  return `${shortened}${tail}`.replace(UNSEEMLY_ENDS, '') || FALLBACK_NAME
}

/** At most so many bytes of UTF-8, and no half characters. */
function cut(text: string, maxBytes: number): string {
  let result = ''
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    result += character
  }
  return result
}

const MAX_DISPLAY_NAME = 255
/** What would break a line, or reverse how the rest of one is read. */
const UNSEEMLY = /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** A file's name as people see it: without what isn't text, and of a bearable length (code points). */
export function displayNameOf(name: string): string {
  return [...name.replace(UNSEEMLY, '').trim()].slice(0, MAX_DISPLAY_NAME).join('') || FALLBACK_NAME
}
