import type { ServerResponse } from 'node:http'
import { streamMessage, supersededMessage } from '@tms/contracts'
import { trackStreamBytes } from './buffered-bytes.ts'

/** What a stream's events are written to. */
export interface EventStreamOutput {
  /** Writes events, each as JSON that begins with its ID. */
  writeEvents(texts: readonly string[]): void
  /** Writes something that is no event, to show that the stream is alive. */
  writeComment(): void
  /** Tells the client that another reader has taken over. */
  writeSuperseded(): void
  /** Whether the client has yet to read so much that nothing more should be written before `onDrained` is called. */
  readonly isBehind: boolean
  /** Whether more may be written now; otherwise `onDrained` is called later. Never while the client is behind. */
  readonly mayWrite: boolean
  /** Whether the stream may end now, and its client still gets what was written; otherwise its connection is broken. */
  readonly mayEnd: boolean
  /** Bytes that the client's connection has taken: it grows while the client reads. */
  readonly taken: number
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

const COMMENT = ':\n\n'

/** Of an answer that is a stream. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-store',
  // Otherwise nginx collects events before it passes them on.
  'x-accel-buffering': 'no',
} as const

/** Resolves when the stream has ended. */
export async function replyEventStream(response: ServerResponse, answer: EventStreamAnswer): Promise<void> {
  response.writeHead(200, EVENT_STREAM_HEADERS)
  response.flushHeaders()
  response.on('drain', answer.onDrained)
  const track = trackStreamBytes(response)
  const write = (text: string) => {
    response.write(text)
    track()
  }
  await answer.run({
    writeEvents: (texts) => write(texts.map(streamMessage).join('')),
    writeComment: () => write(COMMENT),
    writeSuperseded: () => write(supersededMessage),
    get taken() {
      return response.socket?.bytesWritten ?? 0
    },
    get isBehind() {
      return response.writableNeedDrain
    },
    get mayWrite() {
      return !response.writableNeedDrain
    },
    get mayEnd() {
      return !response.writableNeedDrain
    },
    destroy: () => void response.destroy(),
  })
  response.end()
}
