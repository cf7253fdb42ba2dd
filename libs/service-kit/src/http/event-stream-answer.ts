import type { ServerResponse } from 'node:http'
import { trackStreamBytes } from './buffered-bytes.ts'

/** What a stream's events are written to. */
export interface EventStreamOutput {
  /** Writes whole server-sent events, or a comment. */
  write(text: string): void
  /** Whether the client has yet to read so much that nothing more should be written before `onDrained` is called. */
  readonly isBehind: boolean
  /** Bytes that the client's connection has taken; it grows while the client reads. */
  readonly sentBytes: number
  /** Breaks the connection: the client can't tell whether it has got everything that was written. */
  destroy(): void
}

/**
 * A success that is a stream of server-sent events (`text/event-stream`). It ends when the promise of `run` resolves, or the
 * client leaves. `onDrained` is called when a client that was behind has read what was written.
 */
export class EventStreamAnswer {
  readonly run: (output: EventStreamOutput) => Promise<void>
  readonly onDrained: () => void

  constructor(run: EventStreamAnswer['run'], onDrained: () => void) {
    this.run = run
    this.onDrained = onDrained
  }
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-store',
  // Otherwise nginx collects events before it passes them on.
  'x-accel-buffering': 'no',
} as const

/** Resolves when the stream has ended. */
export async function replyEventStream(response: ServerResponse, answer: EventStreamAnswer): Promise<void> {
  response.writeHead(200, HEADERS)
  response.flushHeaders()
  response.on('drain', answer.onDrained)
  const track = trackStreamBytes(response)
  await answer.run({
    write: (text) => {
      response.write(text)
      track()
    },
    get sentBytes() {
      return response.socket?.bytesWritten ?? 0
    },
    get isBehind() {
      return response.writableNeedDrain
    },
    destroy: () => void response.destroy(),
  })
  response.end()
}
