import type { EventStream } from './event-stream.ts'

/** How often streams are checked, with one timer for all of them. */
const CHECK_MS = 500

/** The streams of this replica. */
export interface OpenStreams {
  add(stream: EventStream): void
  delete(stream: EventStream): void
  readonly count: () => number
  stop(): void
}

/** Keeps streams alive. */
export function keepStreams(): OpenStreams {
  const streams = new Set<EventStream>()
  const timer = setInterval(() => {
    const now = performance.now()
    for (const stream of streams) stream.keep(now)
  }, CHECK_MS).unref()
  return {
    add: (stream) => void streams.add(stream),
    delete: (stream) => void streams.delete(stream),
    count: () => streams.size,
    stop: () => clearInterval(timer),
  }
}
