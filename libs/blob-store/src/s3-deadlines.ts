import type { ReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'

/** Timeouts of connections to S3, in milliseconds. */
export interface S3Deadlines {
  /** To connect. */
  readonly connectMs: number
  /** To the first byte of the answer to a request without a body; for each of three attempts. */
  readonly answerMs: number
  /** Without progress while a body is sent or read; it takes at most twice this to notice. */
  readonly silentMs: number
  /** For idle connections that are kept for the next request. */
  readonly idleMs: number
}

/**
 * A lost host closes no connection, and the client library would wait forever. If these are too large, people wait
 * for a file while another host may have it, and deletions stop; if too small, requests fail that a busy store would
 * have answered. All attempts together, and every silence, end within 25 s.
 */
export const s3Deadlines: S3Deadlines = { connectMs: 3_000, answerMs: 7_500, silentMs: 10_000, idleMs: 4_000 }

/** Calls `send` to upload a file, and aborts it when the file is no longer read or no answer follows its end. */
export async function uploadFile<T>(
  file: ReadStream,
  silentMs: number,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const silence = new AbortController()
  let lastBytesRead = -1
  const timer = setInterval(() => {
    if (file.bytesRead === lastBytesRead) silence.abort()
    lastBytesRead = file.bytesRead
  }, silentMs)
  try {
    return await send(silence.signal)
  } catch (err) {
    if (silence.signal.aborted) throw timeoutError('S3 took nothing for too long', err)
    throw err
  } finally {
    clearInterval(timer)
    file.destroy()
  }
}

/** Destroys an answer that sends no more bytes. A slow reader leaves bytes in the buffer and doesn't cause this. */
export function endIfSilent(content: IncomingMessage, silentMs: number): IncomingMessage {
  let lastBytesRead = -1
  const timer = setInterval(() => {
    const { bytesRead } = content.socket
    if (bytesRead === lastBytesRead && content.readableLength === 0 && !content.complete)
      content.destroy(timeoutError('S3 sent nothing for too long'))
    lastBytesRead = bytesRead
  }, silentMs)
  content.once('close', () => clearInterval(timer))
  return content
}

/** Has the system's code for a timeout, so that clients get 503 instead of 500. */
function timeoutError(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: 'ETIMEDOUT' })
}
