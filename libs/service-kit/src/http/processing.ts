import type { ServerResponse } from 'node:http'

/**
 * How often a caller gets `102 Processing` while its request is in progress. A lost host closes nothing and is
 * noticed only by this silence: TCP waits a quarter of an hour for what it sent, and keepalive doesn't probe
 * meanwhile. Too small costs two packets per pending poll each time; too large leaves callers no time to distinguish
 * a lost host from a busy one.
 */
export const PROCESSING_MS = 6_000
/** A caller that received nothing for so long gives up: longer than a process is ever blocked. */
export const SILENT_MS = 20_000
/** Spreads the writes: those of all polls at once would block the event loop. */
const SWEEP_MS = 500

/** Requests in progress, whose callers get `102 Processing` while they wait. */
export class UnansweredRequests {
  /** When something was last sent, oldest first. */
  readonly #sentAt = new Map<ServerResponse, number>()
  readonly #sweeping: NodeJS.Timeout | undefined

  /** The gateway's own clients get none: they couldn't handle it. */
  constructor(options: { sendsProcessing: boolean }) {
    if (options.sendsProcessing) this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  add(response: ServerResponse): void {
    this.#sentAt.set(response, performance.now())
  }

  delete(response: ServerResponse): void {
    this.#sentAt.delete(response)
  }

  all(): Iterable<ServerResponse> {
    return this.#sentAt.keys()
  }

  stop(): void {
    clearInterval(this.#sweeping)
  }

  #sweep(): void {
    const now = performance.now()
    for (const [response, sentAt] of this.#sentAt) {
      if (now - sentAt < PROCESSING_MS) return
      this.#sentAt.delete(response)
      this.#sentAt.set(response, now)
      if (canSendProcessing(response)) response.writeProcessing()
    }
  }
}

function canSendProcessing({ req, socket, headersSent }: ServerResponse): boolean {
  return !headersSent && socket !== null && req.httpVersion === '1.1'
}
