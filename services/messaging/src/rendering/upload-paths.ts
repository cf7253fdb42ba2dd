/** The path ID after its prefix: organization, shard, random part, and file name. */
const UPLOAD_PATH = /\/user_uploads\/(\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/[\p{L}\p{M}\p{N}_.%-]+)/gu
/** No name ends with one of these; they belong to the surrounding sentence. */
const AFTER_NAME = /[-._]+$/

/** Path IDs of uploads that a text may link, in their stored form; may include some that it doesn't link. */
export function* readUploadPaths(text: string): Generator<string> {
  for (const [, path = ''] of text.matchAll(UPLOAD_PATH)) {
    const pathId = decode(path)
    if (pathId !== null) yield pathId.replace(AFTER_NAME, '')
  }
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
