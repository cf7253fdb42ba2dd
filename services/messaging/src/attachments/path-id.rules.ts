import { randomBytes, randomInt } from 'node:crypto'

/** First part of every file's URL. */
export const UPLOADS_PATH = '/user_uploads/'

/** Random bytes that make a URL unguessable. */
const RANDOM_BYTES = 18
/** Bytes of UTF-8: a URL has three times as many, and routers take some hundred. */
const MAX_NAME_BYTES = 120
const MAX_EXTENSION_BYTES = 20

/** A new path ID: realm, shard, random part, and the name as a URL may contain it. */
export function createPathId(realmId: number, name: string): string {
  const shard = randomInt(256).toString(16)
  return [realmId, shard, randomBytes(RANDOM_BYTES).toString('base64url'), urlNameOf(name)].join('/')
}

const BLOB_FOLDER = 'attachments/'

/** Prefix of the blob names of an organization's files. */
export function blobFolderOf(realmId: number): string {
  return `${BLOB_FOLDER}${realmId}/`
}

/** The name of a file's blob: its path ID without the user's part. */
export function blobNameOf(pathId: string): string {
  return BLOB_FOLDER + pathId.split('/').slice(0, 3).join('/')
}

/** First part of the path ID of a blob's file, without the slash after it. */
export function pathOfBlob(blobName: string): string {
  return blobName.slice(BLOB_FOLDER.length)
}

/** The last part of a path ID. */
export function nameInUrl(pathId: string): string {
  return pathId.slice(pathId.lastIndexOf('/') + 1)
}

const FALLBACK_NAME = 'uploaded-file'
/** A dot in front would hide a file; none of these at the end would be read as part of a link. */
const STRIPPED_ENDS = /^[-.]+|[-._]+$/g

/**
 * A file's name as a URL may contain it: letters, digits and marks of any script, `_`, dots and dashes. White space
 * becomes dashes; a long name is shortened before its extension.
 */
export function urlNameOf(name: string): string {
  // First normalize compatibility forms, among which are other dots and slashes.
  const allowed = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_.\s-]/gu, '')
    .replace(/[-\s]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(STRIPPED_ENDS, '')
  const dotAt = allowed.lastIndexOf('.')
  const extension = dotAt > 0 ? allowed.slice(dotAt) : ''
  const hasExtension = Buffer.byteLength(extension) <= MAX_EXTENSION_BYTES
  const tail = hasExtension ? extension : ''
  const stem = allowed.slice(0, allowed.length - tail.length)
  const shortened = cut(stem, MAX_NAME_BYTES - Buffer.byteLength(tail))
  return `${shortened}${tail}`.replace(STRIPPED_ENDS, '') || FALLBACK_NAME
}

/** At most `maxBytes` of UTF-8, without splitting a character. */
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
/** Characters that would break a line, or reverse the direction of the text after them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** A file's name as users see it: without unprintable characters, and not too long (code points). */
export function displayNameOf(name: string): string {
  return [...name.replace(UNPRINTABLE, '').trim()].slice(0, MAX_DISPLAY_NAME).join('') || FALLBACK_NAME
}
