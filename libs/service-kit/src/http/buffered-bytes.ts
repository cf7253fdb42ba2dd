import type { ServerResponse } from 'node:http'
import { type AppError, badRequest } from '@tms/contracts'
import type { AnswerTarget } from './answer-target.ts'

/**
 * For all peers together: room for dozens of large answers, as when the clients of a large organization reconnect
 * over slow lines, and far less than a process may use.
 */
const BUDGET_BYTES = 256 * 1024 * 1024
/** A peer that takes longer is slow: too small ends what a busy moment delayed. */
const GRACE_MS = 5_000
/** Smaller buffers aren't worth counting. */
const MIN_BYTES = 64 * 1024

/** Counts the bytes buffered for one peer. */
export interface ByteTracker {
  add(bytes: number): void
  release(): void
}

interface Peer {
  readonly since: number
  readonly end: () => void
  bytes: number
}

/**
 * Counts bytes buffered for peers: answers that they have yet to read, bodies of which they have yet to send the
 * rest. Above the budget the oldest are ended until it fits again; no new peer is refused.
 */
export class BufferedBytes {
  readonly #budgetBytes: number
  readonly #graceMs: number
  /** Oldest first. */
  readonly #peers = new Set<Peer>()
  #total = 0
  #timer: NodeJS.Timeout | undefined

  constructor(budgetBytes: number, graceMs: number) {
    this.#budgetBytes = budgetBytes
    this.#graceMs = graceMs
  }

  get total(): number {
    return this.#total
  }

  /** Begins counting at 0. `end` is called once, after the peer's bytes were released, if the peer took too long. */
  begin(end: () => void): ByteTracker {
    const peer: Peer = { since: performance.now(), end, bytes: 0 }
    this.#peers.add(peer)
    return {
      add: (bytes) => {
        if (!this.#peers.has(peer)) return
        peer.bytes += bytes
        this.#total += bytes
        if (this.#total > this.#budgetBytes) this.#makeRoom()
      },
      release: () => this.#release(peer),
    }
  }

  #release(peer: Peer): void {
    if (this.#peers.delete(peer)) this.#total -= peer.bytes
  }

  #makeRoom(): void {
    for (const peer of this.#peers) {
      if (this.#total <= this.#budgetBytes) return
      const dueInMs = peer.since + this.#graceMs - performance.now()
      if (dueInMs > 0) return this.#makeRoomIn(dueInMs)
      this.#release(peer)
      peer.end()
    }
  }

  /** Without new bytes nobody would check again. */
  #makeRoomIn(ms: number): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#makeRoom()
    }, Math.ceil(ms)).unref()
  }
}

/** One per process, because memory is per process. */
const buffered = new BufferedBytes(BUDGET_BYTES, GRACE_MS)

/**
 * Counts a body while it is collected, once it is large; the caller releases it at its end. `refuse` is called when
 * the others would have no room, and must drop what came.
 */
export function trackBodyBytes(refuse: (error: AppError) => void): ByteTracker {
  let small = 0
  let tracker: ByteTracker | null = null
  return {
    add: (bytes) => {
      if (tracker) return tracker.add(bytes)
      small += bytes
      if (small < MIN_BYTES) return
      tracker = buffered.begin(() => refuse(badRequest('The request did not come in time')))
      tracker.add(small)
    },
    release: () => tracker?.release(),
  }
}

/**
 * Counts an answer until it is sent, if it is large. If its reader is too slow while the budget is exceeded, its
 * connection is ended.
 */
export function trackAnswerBytes(response: AnswerTarget, bytes: number): void {
  if (bytes < MIN_BYTES || response.destroyed) return
  const tracker = buffered.begin(() => response.destroy())
  response.once('close', tracker.release)
  tracker.add(bytes)
}

/**
 * Counts what a stream has written and its reader has yet to take, from when the reader falls behind until it has caught up.
 * Returns a function to call after each write.
 */
export function trackStreamBytes(response: ServerResponse): () => void {
  let tracker: ByteTracker | null = null
  let counted = 0
  const release = () => {
    tracker?.release()
    tracker = null
    counted = 0
  }
  response.on('drain', release)
  response.once('close', release)
  return () => {
    if (!response.writableNeedDrain || response.destroyed) return
    tracker ??= buffered.begin(() => response.destroy())
    tracker.add(response.writableLength - counted)
    counted = response.writableLength
  }
}
