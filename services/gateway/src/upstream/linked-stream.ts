import { type AppError, type LinkedStreamEnd, streamMessage, supersededMessage } from '@tms/contracts'
import { EVENT_STREAM_HEADERS } from '@tms/service-kit'
import { commonHeaders, setCommonHeaders } from '../requests/response-headers.ts'
import { LinkedCall } from './linked-call.ts'
import { COMMENT_MS, replyEndedStream } from './proxied-stream.ts'

/** What was taken is reported to the replica after so many characters: fewer than a window, so that it never waits for them in vain. */
const TAKEN_AFTER = 16 * 1024

/** Events as bytes for the connections of clients. One object serves all streams that get these events. */
export class StreamChunk {
  /** Characters of the events. */
  readonly length: number
  /** A chunk of an answer with `Transfer-Encoding: chunked`. */
  readonly framed: Buffer
  readonly bytes: Buffer

  constructor(text: string, length: number) {
    const bytes = Buffer.from(text)
    const size = Buffer.from(`${bytes.length.toString(16)}\r\n`)
    this.length = length
    this.framed = Buffer.concat([size, bytes, CHUNK_END])
    this.bytes = this.framed.subarray(size.length, size.length + bytes.length)
  }

  /** Of events, each as JSON. */
  static ofEvents(texts: readonly string[]): StreamChunk {
    return new StreamChunk(
      texts.map(streamMessage).join(''),
      texts.reduce((sum, text) => sum + text.length, 0),
    )
  }
}

const CHUNK_END = Buffer.from('\r\n')
const COMMENT = new StreamChunk(':\n\n', 0)
const SUPERSEDED = new StreamChunk(supersededMessage, 0)

/** A stream of events that a replica of events writes over a link. */
export class LinkedStream extends LinkedCall {
  #writtenAt = 0
  /** Characters of events whose taking the replica doesn't know yet. */
  #unreported = 0

  /** Whether its answer has begun. */
  get isOpen(): boolean {
    return this.call.response.headersSent
  }

  /** Begins the answer, if that was not done yet, and writes these events. */
  write(chunk: StreamChunk | null): void {
    if (this.isOver) return
    this.#open()
    if (chunk === null) return
    this.#unreported += chunk.length
    this.#put(chunk, this.#unreported >= TAKEN_AFTER)
  }

  /** The replica has written all that it will. */
  end(end: LinkedStreamEnd): void {
    this.link = null
    if (!this.finish()) return
    if (end === 'superseded') {
      this.#open()
      this.#put(SUPERSEDED, false)
    }
    if (end !== 'cut_off') return this.#close()
    this.parts.limits.onTooSlow()
    this.call.response.destroy()
  }

  /** Call now and then: a client that got nothing for long gets a sign that the stream is alive. */
  keep(now: number): void {
    if (now - this.#writtenAt >= COMMENT_MS) this.#put(COMMENT, false)
  }

  override fail(error: AppError): void {
    if (this.isOpen) this.endPendingPoll()
    else super.fail(error)
  }

  override refusePendingPoll(error: AppError): void {
    if (this.isOpen) this.endPendingPoll()
    else super.refusePendingPoll(error)
  }

  override endPendingPoll(): void {
    if (!this.finish()) return
    if (this.isOpen) return this.#close()
    setCommonHeaders(this.call)
    replyEndedStream(this.call.response)
  }

  /** A client has begun to read: it connects again, to any replica. */
  protected override moveOn(): void {
    if (this.isOpen) this.endPendingPoll()
    else super.moveOn()
  }

  #open(): void {
    if (this.isOpen) return
    const { response } = this.call
    response.writeHead(200, [...commonHeaders(this.call), ...STREAM_HEADERS])
    // Otherwise the client would learn only with the first event that the stream is open.
    response.flushHeaders()
    this.#writtenAt = performance.now()
  }

  /** Writes to the connection itself, since Node would write the parts of a chunk one by one. */
  #put(chunk: StreamChunk, isReported: boolean): void {
    this.#writtenAt = performance.now()
    const { response } = this.call
    const onTaken = isReported ? this.#takenOf() : undefined
    // It waits for an earlier answer of its connection.
    if (response.socket === null) response.write(chunk.bytes, onTaken)
    else response.socket.write(chunk.framed, onTaken)
  }

  #takenOf(): () => void {
    const characters = this.#unreported
    this.#unreported = 0
    return () => this.link?.tellTaken(this.number, characters)
  }

  #close(): void {
    this.call.response.end()
    this.limitReading()
  }
}

const STREAM_HEADERS = [...Object.entries(EVENT_STREAM_HEADERS).flat(), ...['transfer-encoding', 'chunked']]
