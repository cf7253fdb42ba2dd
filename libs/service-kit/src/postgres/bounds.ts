/**
 * How long something may wait for PostgreSQL. A lost host sends nothing: TCP repeats what was sent to it for a
 * quarter of an hour, during which keepalive doesn't probe.
 */

/** After this time a connection to a lost host is closed, unless an operator sets another. */
export const DEFAULT_SILENCE_SECONDS = 25

/**
 * How long a statement may take. Too small breaks off what a large organization needs, each time again; too large
 * keeps locks and a connection for a result that nobody waits for any more. It isn't what detects a lost host.
 */
export const STATEMENT_MS = 15 * 60_000

/** A request that waits longer for a connection is refused with 503 rather than piling up. */
export const CONNECT_MS = 5_000

/** A host of several that doesn't answer by then is skipped: less than a request waits for its connection. */
export const HOST_MS = 2_000

/**
 * A transaction that is idle for so long belongs to a process that hangs, and the server ends it: too small ends one
 * of a process that is merely slow, too large keeps its locks.
 */
const IDLE_TRANSACTION_MS = 60_000

/** The same for a transaction that is read at the pace of a slow consumer, such as an export to a store. */
export const PAUSED_TRANSACTION_MS = 30 * 60_000

/** A connection that should end, and whose server doesn't answer, is destroyed. */
export const END_MS = 2_000

/** What follows from the number of seconds that an operator may set. Together they are no more than that. */
export interface SilenceBounds {
  /** A connection that is checked out and unused for so long gets a ping. */
  readonly pingAfterMs: number
  /** A connection that waits for an answer and received nothing for so long is checked, over another one. */
  readonly silenceMs: number
  /** How often connections are checked. */
  readonly checkEveryMs: number
  /** How long the server may take to report whether it still works for a connection; no report counts as no. */
  readonly serverTimeoutMs: number
  /** How long an answer that was on its way at that moment may still take. */
  readonly graceMs: number
  /** An idle connection whose host is lost is noticed by keepalive after this, and ten probes of a second. */
  readonly keepAliveMs: number
  /** The server's own settings, by which it drops a client whose host is lost, and its locks. */
  readonly ofServer: Readonly<Record<string, number>>
}

/** The bounds that follow from so many seconds. */
export function boundsOf(seconds: number): SilenceBounds {
  const ms = seconds * 1_000
  const wholeSeconds = (part: number) => Math.max(1, Math.floor(seconds * part))
  return {
    pingAfterMs: ms * 0.15,
    silenceMs: ms * 0.5,
    checkEveryMs: ms * 0.05,
    serverTimeoutMs: ms * 0.2,
    graceMs: ms * 0.05,
    keepAliveMs: Math.max(1_000, ms - 17_000),
    ofServer: {
      tcp_keepalives_idle: wholeSeconds(0.32),
      tcp_keepalives_interval: wholeSeconds(0.12),
      tcp_keepalives_count: 4,
      tcp_user_timeout: Math.round(ms * 0.8),
      client_connection_check_interval: Math.round(ms * 0.2),
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    },
  }
}
