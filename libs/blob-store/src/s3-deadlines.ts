import type { ReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'

/** When a connection to S3 is given up, in milliseconds. */
export interface S3Deadlines {
  /** Until it is made. */
  readonly connectMs: number
  /** Until the answer to a request without a body begins; of each of three attempts. */
  readonly answerMs: number
  /** While a body is sent or read: at most twice this without a byte. */
  readonly silentMs: number
  /** Kept for the next request. */
  readonly idleMs: number
}

/**
 * A host that is lost closes nothing, and the client library waits for ever. Too large is worse: people wait for a file while
 * another host may have it, and a worker that deletes stands still. Too small fails what a busy store would have answered. All
 * attempts together, and every silence, end within 25 s.
 */
export const s3Deadlines: S3Deadlines = { connectMs: 3_000, answerMs: 7_500, silentMs: 10_000, idleMs: 4_000 }

/** Sends a file by `send`, which is broken off when the file ceases to be read, or no answer follows its end. */
export async function uploading<T>(
  file: ReadStream,
  silentMs: number,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const silence = new AbortController()
  let seen = -1
  const timer = setInterval(() => {
    if (file.bytesRead === seen) silence.abort()
    seen = file.bytesRead
  }, silentMs)
  try {
    return await send(silence.signal)
  } catch (err) {
    if (silence.signal.aborted) throw silent('S3 took nothing for too long', err)
    throw err
  } finally {
    clearInterval(timer)
    file.destroy()
  }
}

/** Ends an answer of which no more comes. A reader that is slow leaves bytes in it, and is waited for. */
export function endIfSilent(content: IncomingMessage, silentMs: number): IncomingMessage {
  let seen = -1
  const timer = setInterval(() => {
    const { bytesRead } = content.socket
    if (bytesRead === seen && content.readableLength === 0 && !content.complete)
      content.destroy(silent('S3 sent nothing for too long'))
    seen = bytesRead
  }, silentMs)
  content.once('close', () => clearInterval(timer))
  return content
}

/** As the system calls it, so that a caller gets 503 rather than 500. */
function silent(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: 'ETIMEDOUT' })
}
