import type { LogEntry } from '@tms/contracts'
import type { EmptySystem } from '@tms/test-kit'
import { followLog } from '../support/follow-log.ts'

/** An entry that counts, and where it stands. */
export interface Known {
  readonly offset: number
  readonly entry: LogEntry
  /** When it was read, by `performance.now()`. */
  readonly readAt: number
}

/** The log as it is meant: what was published again is passed over, and so is what stands ahead of its stream. */
export interface KnownLog {
  /** In order, since it was last told to forget. */
  readonly taken: readonly Known[]
  /** Drops what is known; the places that streams have come to are kept. */
  forget(): void
  close(): Promise<void>
}

/** Reads the log from its beginning, and goes on. */
export async function knowLog(product: Pick<EmptySystem, 'servers' | 'system'>): Promise<KnownLog> {
  const lastSeqs = new Map<string, number>()
  const taken: Known[] = []
  const following = await followLog(product, (entry, offset) => {
    const { stream, seq } = entry
    // What belongs to no transaction has no place among others.
    if (seq > 0 && seq !== (lastSeqs.get(stream) ?? 0) + 1) return
    if (seq > 0) lastSeqs.set(stream, seq)
    taken.push({ offset, entry, readAt: performance.now() })
  })
  return {
    taken,
    forget: () => {
      taken.length = 0
    },
    close: () => following.close(),
  }
}
