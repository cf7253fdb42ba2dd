import type { ServerResponse } from 'node:http'
import { type AppError, badRequest } from '@tms/contracts'

/**
 * Together, of all peers: room for dozens of large answers, as when the clients of a large organization come back over slow lines,
 * and far less than a process may have.
 */
const BUDGET_BYTES = 256 * 1024 * 1024
/** Who takes longer is slow, or behind a slow line: too small ends what a busy moment delayed. */
const GRACE_MS = 5_000
/** What is smaller isn't worth counting. */
const MIN_BYTES = 64 * 1024

/** What this process holds for one peer. */
export interface Holding {
  add(bytes: number): void
  release(): void
}

interface Holder {
  readonly since: number
  readonly end: () => void
  bytes: number
}

/**
 * Bytes that wait for peers: answers that they have yet to take, bodies of which they have yet to send the rest. When it is
 * too much, those that are held longest are ended, until it is not; nobody new is refused.
 */
export class BufferedBytes {
  readonly #budgetBytes: number
  readonly #graceMs: number
  /** Those held longest come first. */
  readonly #holders = new Set<Holder>()
  #total = 0
  #timer: NodeJS.Timeout | undefined

  constructor(budgetBytes: number, graceMs: number) {
    this.#budgetBytes = budgetBytes
    this.#graceMs = graceMs
  }

  get total(): number {
    return this.#total
  }

  /** Begins with nothing held; `end` is called, once and after it was released, when the peer took too long. */
  begin(end: () => void): Holding {
    const holder: Holder = { since: performance.now(), end, bytes: 0 }
    this.#holders.add(holder)
    return {
      add: (bytes) => {
        if (!this.#holders.has(holder)) return
        holder.bytes += bytes
        this.#total += bytes
        if (this.#total > this.#budgetBytes) this.#makeRoom()
      },
      release: () => this.#release(holder),
    }
  }

  #release(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#total -= holder.bytes
  }

  #makeRoom(): void {
    for (const holder of this.#holders) {
      if (this.#total <= this.#budgetBytes) return
      const dueInMs = holder.since + this.#graceMs - performance.now()
      if (dueInMs > 0) return this.#makeRoomIn(dueInMs)
      this.#release(holder)
      holder.end()
    }
  }

  /** Nobody might come whose bytes would have it looked again. */
  #makeRoomIn(ms: number): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#makeRoom()
    }, Math.ceil(ms)).unref()
  }
}

/** Of the process, whose memory it is. */
const held = new BufferedBytes(BUDGET_BYTES, GRACE_MS)

/**
 * Counts a body while it is collected, once it is large; whoever collects it releases it at its end. `refuse` is called when the
 * others would have no room, and drops what came.
 */
export function trackBodyBytes(refuse: (error: AppError) => void): Holding {
  let small = 0
  let holding: Holding | null = null
  return {
    add: (bytes) => {
      if (holding) return holding.add(bytes)
      small += bytes
      if (small < MIN_BYTES) return
      holding = held.begin(() => refuse(badRequest('The request did not come in time')))
      holding.add(small)
    },
    release: () => holding?.release(),
  }
}

/** Counts an answer until it has gone, if it is large; its connection is ended when its reader is too slow for all others. */
export function trackAnswerBytes(response: ServerResponse, bytes: number): void {
  if (bytes < MIN_BYTES || response.destroyed) return
  const holding = held.begin(() => response.destroy())
  response.once('close', holding.release)
  holding.add(bytes)
}
