/**
 * How long something may wait for PostgreSQL. A lost host says nothing: what was sent to it is repeated by TCP for a quarter of
 * an hour, for which keepalive is silent.
 */

/** By then a connection whose host is gone is given up, unless an operator says otherwise. */
export const DEFAULT_SILENCE_SECONDS = 25

/**
 * How long a statement may take. Too small breaks off what a large organization needs, each time anew; too large keeps locks
 * and a connection for what nobody waits for any more. It isn't what notices a lost host.
 */
export const STATEMENT_MS = 15 * 60_000

/** A request that waits longer for a connection is refused with 503 rather than piling up. */
export const CONNECT_MS = 5_000

/** A host among several that doesn't answer by then isn't the one: less than a request waits for its connection. */
export const HOST_MS = 2_000

/**
 * A transaction that says nothing for so long is one of a process that hangs, and ended by the server: too small ends one of
 * a process that is merely slow, too large keeps its locks.
 */
const IDLE_TRANSACTION_MS = 60_000

/** The same where the transaction waits for whom it is read to: an archive goes on to a store that may be slow. */
export const PAUSED_TRANSACTION_MS = 30 * 60_000

/** A connection that should end, and whose server doesn't answer, is cut off. */
export const END_MS = 2_000

/** What follows from the number of seconds that an operator may set. Together they are no more than that. */
export interface SilenceBounds {
  /** One that somebody has, and that nobody has spoken on for so long, is spoken on. */
  readonly speakMs: number
  /** A connection that waits for an answer and heard nothing for so long is asked after, on another one. */
  readonly silenceMs: number
  /** How often connections are looked at. */
  readonly lookMs: number
  /** By then the server says whether it works for a connection; none is an answer too. */
  readonly askMs: number
  /** An answer that was under way when the server was asked comes by then. */
  readonly graceMs: number
  /** An idle connection whose host is lost is noticed by keepalive after this, and ten probes of a second. */
  readonly keepAliveMs: number
  /** The server's own, by which it lets go of a client whose host is lost, and of its locks. */
  readonly ofServer: Readonly<Record<string, number>>
}

/** The bounds that follow from so many seconds. */
export function boundsOf(seconds: number): SilenceBounds {
  const ms = seconds * 1_000
  const wholeSeconds = (part: number) => Math.max(1, Math.floor(seconds * part))
  return {
    speakMs: ms * 0.15,
    silenceMs: ms * 0.5,
    lookMs: ms * 0.05,
    askMs: ms * 0.2,
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
