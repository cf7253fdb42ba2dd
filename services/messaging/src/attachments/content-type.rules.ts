import { lookup } from 'mime-types'

/** Types that browsers may show inline: none of them can run code under our origin. */
const SHOWN: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/webm',
  'audio/mpeg',
  'application/pdf',
])
const UNKNOWN = 'application/octet-stream'
const TYPE = /^[a-z0-9][\w.+-]{0,60}\/[a-z0-9][\w.+-]{0,60}$/

/** The type of an upload: the client's, or else that of the file name's extension. */
export function contentTypeOf(claimed: string, name: string): string {
  const isSpecific = TYPE.test(claimed) && claimed !== UNKNOWN
  return isSpecific ? claimed : lookup(name) || UNKNOWN
}

/** The type of a picture that is shown by its extension: clients may have claimed that it is anything else. */
export function pictureTypeOf(contentType: string, pathId: string): string {
  return contentType.startsWith('image/') ? contentType : lookup(pathId) || UNKNOWN
}

/** Whether a browser shows a file of this type inline; it downloads every other one. */
export function isShown(contentType: string): boolean {
  return SHOWN.has(contentType)
}
