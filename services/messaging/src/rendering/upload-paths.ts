/** Where a path ID begins, and what it consists of: the organization, a shard, something random, and the file's name. */
const UPLOAD_PATH = /\/user_uploads\/(\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/[\p{L}\p{M}\p{N}_.%-]+)/gu
/** No name ends with one of these; where one follows, it belongs to the sentence. */
const AFTER_NAME = /[-._]+$/

/** Path IDs of uploads that a text may link to, as they are stored. Those that it doesn't link to may be among them. */
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
