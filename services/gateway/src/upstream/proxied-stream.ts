import type { ServerResponse } from 'node:http'

/** Phones would wake up for each of the comments by which a replica shows that it works. */
export const COMMENT_MS = 25_000
const COMMENT = Buffer.from(':\n\n')

/** Whether to pass a chunk of a stream on: all but comments that come soon after something else was passed on. */
export function createCommentFilter(now: () => number): (chunk: Buffer) => boolean {
  let passedAt = now()
  return (chunk) => {
    if (chunk.equals(COMMENT) && now() - passedAt < COMMENT_MS) return false
    passedAt = now()
    return true
  }
}

/** Answers with a stream that ends at once, with at most this message. After none its client connects again. */
export function replyEndedStream(response: ServerResponse, message = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
  response.end(message || ':\n\n')
}
