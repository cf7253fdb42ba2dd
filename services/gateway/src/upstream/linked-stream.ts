import type { Socket } from 'node:net'
import { type AppError, type LinkedStreamEnd, streamMessage, supersededMessage } from '@tms/contracts'
import { EVENT_STREAM_HEADERS } from '@tms/service-kit'
import { commonHeaders, setCommonHeaders } from '../requests/response-headers.ts'
import { LinkedCall } from './linked-call.ts'
import { COMMENT_MS, replyEndedStream } from './proxied-stream.ts'

/** What was taken is reported to the replica after so many bytes: fewer than a window, so that it never waits for them in vain. */
const TAKEN_AFTER = 16 * 1024

/** More is written in pieces, each when the system has taken the one before: a client that reads slowly is seen to read. */
const PIECE_BYTES = 16 * 1024

/** How long an end is waited for that the replica may have sent already, after a frame of the same turn. */
const END_WAIT_MS = 250

/** Events as bytes for the connections of clients. One object serves all streams that get these events in one frame. */
export class StreamChunk {
  /** Bytes of the events, each as JSON. */
  readonly length: number
  /** A chunk of an answer with `Transfer-Encoding: chunked`. */
  readonly bytes: Buffer

  constructor(text: string, length: number) {
    this.length = length
    this.bytes = Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  }

  /** Of events, each as JSON. */
  static ofEvents(texts: readonly string[]): StreamChunk {
    return new StreamChunk(
      texts.map(streamMessage).join(''),
      texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    )
  }
}

const LAST_CHUNK = '0\r\n\r\n'
const COMMENT = new StreamChunk(':\n\n', 0)
const SUPERSEDED = new StreamChunk(supersededMessage, 0)

/** Something that waits until the connection has taken what was written before. */
interface Piece {
  readonly bytes: Buffer
  /** Bytes of events to report then. */
  readonly taken: number
}

/**
 * A stream of events that a replica of events writes over a link. Once it has begun, its connection is no longer one of HTTP: request,
 * response and parser took two thirds of the memory of an idle client.
 */
export class LinkedStream extends LinkedCall {
  /** Null until the answer has begun. */
  #connection: Socket | null = null
  #writtenAt = 0
  /** Bytes of events whose taking the replica doesn't know yet. */
  #unreported = 0
  /** Null if nothing waits and no piece is under way. */
  #waiting: Piece[] | null = null
  #endsAfterPieces = false
  #becomesRequest = false

  /** Whether its answer has begun. */
  get isOpen(): boolean {
    return this.#connection !== null
  }

  /** Begins the answer, if that was not done yet, and writes these events. A stream that can't have its connection goes on as a request. */
  write(chunk: StreamChunk | null): void {
    if (this.isOver || this.#becomesRequest) return
    if (!this.#open()) return this.#becomeRequest()
    if (chunk === null) return
    this.#unreported += chunk.length
    this.#put(chunk)
  }

  /** The replica has written all that it will. What could not be written comes again with the client's next stream. */
  end(end: LinkedStreamEnd): void {
    this.link = null
    if (!this.finish()) return
    if (!this.isOpen) return this.#reply(end === 'superseded' ? supersededMessage : '')
    if (end === 'superseded') this.#put(SUPERSEDED)
    if (end !== 'cut_off') return this.#close()
    this.parts.limits.onTooSlow()
    this.#connection?.destroy()
  }

  /** Call now and then: a client that got nothing for long gets a sign that the stream is alive. */
  keep(now: number): void {
    if (now - this.#writtenAt >= COMMENT_MS && this.#waiting === null) this.#put(COMMENT)
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
    if (this.isOpen) this.#close()
    else this.#reply('')
  }

  /** A client has begun to read: it connects again, to any replica. */
  protected override moveOn(): void {
    if (this.isOpen) this.endPendingPoll()
    else if (!this.#becomesRequest) super.moveOn()
  }

  /** Begins the answer, if that was not done yet. False if the stream can't have its connection. */
  #open(): boolean {
    if (this.isOpen) return true
    const head = headOf(commonHeaders(this.call))
    this.#connection = this.call.takeConnection(this.parts.limits.onPipelined)
    if (this.#connection === null) return false
    // At once, otherwise the client would learn only with the first event that the stream is open.
    this.#connection.write(head)
    this.#writtenAt = performance.now()
    return true
  }

  #becomeRequest(): void {
    const { socket } = this.call.response
    // The client has left, and may have come back already: a request would take its queue from its new stream.
    if (socket && !socket.writable) return
    this.#becomesRequest = true
    // If the stream has ended at the replica, a request would take its queue over, too.
    setTimeout(() => {
      if (this.isOver) return
      this.leaveLink()
      this.parts.owner.request(this)
    }, END_WAIT_MS)
  }

  /** The whole answer of a stream that hasn't begun. */
  #reply(message: string): void {
    setCommonHeaders(this.call)
    replyEndedStream(this.call.response, message)
  }

  #put(chunk: StreamChunk): void {
    this.#writtenAt = performance.now()
    const taken = this.#unreported >= TAKEN_AFTER ? this.#unreported : 0
    this.#unreported -= taken
    // Of an error, or an end that its client has brought about, the gateway learns when the connection closes.
    if (!this.#connection?.writable) return
    if (this.#waiting === null && chunk.bytes.length <= PIECE_BYTES)
      this.#connection.write(chunk.bytes, taken > 0 ? () => this.#tell(taken) : undefined)
    else this.#putPieces(chunk.bytes, taken)
  }

  #putPieces(bytes: Buffer, taken: number): void {
    const isIdle = this.#waiting === null
    this.#waiting ??= []
    let left = taken
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES)
      const isLast = at + PIECE_BYTES >= bytes.length
      const own = isLast ? left : Math.min(left, piece.length)
      left -= own
      this.#waiting.push({ bytes: piece, taken: own })
    }
    if (isIdle) this.#writePiece()
  }

  #writePiece(): void {
    const piece = this.#waiting?.shift()
    if (piece === undefined) {
      this.#waiting = null
      if (this.#endsAfterPieces) this.#end()
    } else if (!this.#connection?.writable) this.#waiting = []
    else
      this.#connection.write(piece.bytes, (err) => {
        if (err) return
        this.#tell(piece.taken)
        this.#writePiece()
      })
  }

  #tell(taken: number): void {
    if (taken > 0) this.link?.tellTaken(this.number, taken)
  }

  #close(): void {
    const unwritten = this.#waiting?.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0
    if (this.#waiting === null) this.#end()
    else this.#endsAfterPieces = true
    this.limitReading(this.#connection, unwritten)
  }

  #end(): void {
    // Its client may have ended it before.
    if (this.#connection?.writable) this.#connection.write(LAST_CHUNK)
    this.#connection?.destroySoon()
  }
}

const STREAM_HEADERS = Object.entries({
  ...EVENT_STREAM_HEADERS,
  // So that clients can tell an end from a connection that broke.
  'transfer-encoding': 'chunked',
  connection: 'close',
}).flat()

/** The beginning of a stream, with these headers, names and values in turn. */
function headOf(headers: readonly string[]): string {
  const all = ['date', new Date().toUTCString(), ...headers, ...STREAM_HEADERS]
  const lines = all.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []))
  return ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')
}
