import type { Duplex } from 'node:stream'

/** Each side sends something at least this often, so that silence means a hanging peer or a lost host. */
const PING_MS = 6_000
/** Checks within `silentMs`; a time in which this process itself was blocked counts as one. */
const SILENT_CHECKS = 10
/** Longer frames are refused; senders split theirs long before. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024
/** A peer with so much to read hangs: it never has a reason to wait. Senders of much pause long before, by `unsentBytes`. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024
const INT_BYTES = 4

interface FrameListener {
  /** Called for each frame. An exception ends the connection. */
  readonly onFrame: (texts: readonly string[]) => void
  /** Called once, when nothing more will come. The error is null if the peer ended the connection between frames. */
  readonly onEnd: (err: Error | null) => void
  /** Called when the system has taken all that was sent, if that took a while. */
  readonly onDrained?: () => void
  /** After so long without a byte of the peer the connection ends. */
  readonly silentMs: number
}

/**
 * A connection between two processes over which each sends frames, which are lists of texts, whole and in order. Empty frames
 * keep it alive, and are not reported.
 */
export class FrameConnection {
  readonly #socket: Duplex
  readonly #listener: FrameListener
  readonly #reader = new FrameReader()
  readonly #timers: readonly NodeJS.Timeout[]
  #hasSent = false
  #hasReceived = false
  #silentChecks = 0
  #isEnding = false
  #isOver = false

  /** `head` is what came with the connection's upgrade. */
  constructor(socket: Duplex, head: Uint8Array, listener: FrameListener) {
    this.#socket = socket
    this.#listener = listener
    this.#timers = [
      // Twice as often, since each checks whether something was sent since the last one.
      setInterval(() => this.#ping(), PING_MS / 2).unref(),
      setInterval(() => this.#checkSilence(), listener.silentMs / SILENT_CHECKS).unref(),
    ]
    socket.on('error', (err) => this.#end(err))
    socket.on('close', () => this.#end(new Error('the connection was lost')))
    socket.on('end', () => {
      this.#end(this.#reader.isAtStart ? null : new Error('the connection ended within a frame'))
      socket.end()
    })
    socket.on('drain', () => {
      if (!this.#isOver) listener.onDrained?.()
    })
    // Comes in a later turn, as all other bytes, when the caller knows this connection.
    if (head.length > 0) socket.unshift(head)
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** What was sent, and the system has yet to take: more than a frame if the peer reads slowly. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  /** Sends one frame. Callers join what is small: each frame is a write. */
  send(texts: readonly string[]): void {
    if (this.#isOver || this.#isEnding) return
    this.#hasSent = true
    this.#socket.write(encodeFrame(texts))
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) this.destroy(new Error('the peer does not read'))
  }

  /** Ends the connection after what was sent; the peer then ends it too, or is silent. */
  end(): void {
    this.#isEnding = true
    this.#socket.end()
  }

  /** Breaks the connection. */
  destroy(err: Error): void {
    this.#end(err)
    this.#socket.destroy()
  }

  #receive(chunk: Uint8Array): void {
    if (this.#isOver) return
    this.#hasReceived = true
    try {
      for (const texts of this.#reader.read(chunk)) {
        if (texts.length > 0) this.#listener.onFrame(texts)
        if (this.#isOver) return
      }
    } catch (err) {
      this.destroy(err instanceof Error ? err : new Error(String(err)))
    }
  }

  #ping(): void {
    if (!this.#hasSent) this.send([])
    this.#hasSent = false
  }

  #checkSilence(): void {
    this.#silentChecks = this.#hasReceived ? 0 : this.#silentChecks + 1
    this.#hasReceived = false
    if (this.#silentChecks >= SILENT_CHECKS) this.destroy(new SilentPeerError('the peer is silent'))
  }

  #end(err: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#listener.onEnd(err)
  }
}

/** The peer has sent nothing for too long. */
export class SilentPeerError extends Error {}

/** Bytes that follow, number of texts, the length of each in bytes, and the texts: integers of 32 bits, texts in UTF-8. */
export function encodeFrame(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const size = lengths.reduce((sum, length) => sum + length, INT_BYTES * (texts.length + 1))
  const frame = Buffer.allocUnsafe(INT_BYTES + size)
  let at = frame.writeUInt32BE(size, 0)
  at = frame.writeUInt32BE(texts.length, at)
  for (const length of lengths) at = frame.writeUInt32BE(length, at)
  for (const text of texts) at += frame.write(text, at)
  return frame
}

/** Cuts what comes over a connection into frames. */
export class FrameReader {
  #chunks: Uint8Array[] = []
  #bytes = 0
  /** Bytes of the frame that is coming, as far as known. */
  #needed = INT_BYTES

  /** Whether nothing of a frame has come that isn't complete. */
  get isAtStart(): boolean {
    return this.#bytes === 0
  }

  /** The frames that are complete with this chunk. Throws if one is too long or its lengths don't add up. */
  *read(chunk: Uint8Array): Generator<string[]> {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < this.#needed) return
    const bytes =
      this.#chunks.length === 1
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat(this.#chunks)
    let at = 0
    this.#needed = INT_BYTES
    while (bytes.length - at >= INT_BYTES) {
      this.#needed = INT_BYTES + bytes.readUInt32BE(at)
      if (this.#needed > MAX_FRAME_BYTES) throw new Error(`a frame has ${this.#needed} bytes`)
      if (bytes.length - at < this.#needed) break
      const end = at + this.#needed
      yield decodeFrame(bytes.subarray(at + INT_BYTES, end))
      at = end
      this.#needed = INT_BYTES
    }
    this.#chunks = at < bytes.length ? [bytes.subarray(at)] : []
    this.#bytes = bytes.length - at
  }
}

function decodeFrame(bytes: Buffer): string[] {
  const count = bytes.length < INT_BYTES ? -1 : bytes.readUInt32BE(0)
  let at = INT_BYTES * (count + 1)
  if (count < 0 || at > bytes.length) throw new Error('a frame ends before its lengths')
  const texts = Array.from({ length: count }, (_, index) => {
    const length = bytes.readUInt32BE(INT_BYTES * (index + 1))
    const text = bytes.toString('utf8', at, at + length)
    at += length
    return text
  })
  if (at !== bytes.length) throw new Error("a frame's texts are longer or shorter than it")
  return texts
}
