// How long the parts of an orderly shutdown may take, in milliseconds. Whatever stops processes has to wait for their
// sum (compose.yaml, upgrade.sh, the pods' grace period): a test compares them.

/** How long a server waits for requests in progress, as long as clients do: too small breaks off searches and uploads. */
export const FINISH_MS = 30_000
/** Timeout of a closer: too small loses work in progress, too large leaves the others no time. */
export const CLOSE_TIMEOUT_MS = 10_000
/** When a process that hangs while stopping is ended: by then it has drained, finished, and closed its resources. */
export const FORCED_EXIT_MS = 45_000
