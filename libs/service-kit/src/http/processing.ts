import type { ServerResponse } from 'node:http'

/**
 * How often a caller hears that its request is worked at (`102 Processing`). A host that is lost closes nothing, and is known by
 * this silence alone: TCP waits a quarter of an hour for what it sent, and keepalive doesn't look meanwhile. Too small costs
 * every held poll two packets each time; too large leaves callers no time to tell a lost host from a busy one.
 */
export const PROCESSING_MS = 6_000
/** A caller that heard nothing for so long gives up: longer than a process is busy with one thing. */
export const SILENT_MS = 20_000
/** Spreads them: those of all polls at once would hold up the loop. */
const SWEEP_MS = 500

/** Requests in flight, of which callers hear while they wait. */
export class UnansweredRequests {
  /** When something was last said, the longest ago first. */
  readonly #saidAt = new Map<ServerResponse, number>()
  readonly #sweeping: NodeJS.Timeout | undefined

  /** Strangers aren't told: the gateway's own clients wouldn't know what to do with it. */
  constructor(options: { tellsCallers: boolean }) {
    if (options.tellsCallers) this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  add(response: ServerResponse): void {
    this.#saidAt.set(response, performance.now())
  }

  delete(response: ServerResponse): void {
    this.#saidAt.delete(response)
  }

  all(): Iterable<ServerResponse> {
    return this.#saidAt.keys()
  }

  stop(): void {
    clearInterval(this.#sweeping)
  }

  #sweep(): void {
    const now = performance.now()
    for (const [response, saidAt] of this.#saidAt) {
      if (now - saidAt < PROCESSING_MS) return
      this.#saidAt.delete(response)
      this.#saidAt.set(response, now)
      if (mayHear(response)) response.writeProcessing()
    }
  }
}

function mayHear({ req, socket, headersSent }: ServerResponse): boolean {
  return !headersSent && socket !== null && req.httpVersion === '1.1'
}
