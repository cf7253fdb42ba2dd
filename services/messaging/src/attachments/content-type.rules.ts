import { lookup } from 'mime-types'

/** What browsers may show by themselves: nothing of these can run in our name. */
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

/** The type of an upload: what the client says, else what the file's name does. */
export function contentTypeOf(claimed: string, name: string): string {
  const isTelling = TYPE.test(claimed) && claimed !== UNKNOWN
  return isTelling ? claimed : lookup(name) || UNKNOWN
}

/** Whether a browser shows a file of this type; it saves every other one. */
export function isShown(contentType: string): boolean {
  return SHOWN.has(contentType)
}
