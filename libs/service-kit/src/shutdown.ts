// How long the parts of an orderly end may take, in milliseconds. Whoever ends processes has to wait for all of them
// (compose.yaml, upgrade.sh, the pods' grace): a test compares.

/** A server waits so long for what it has begun to answer, as long as clients do: too small breaks off searches and uploads. */
export const FINISH_MS = 30_000
/** A closer that hangs is given up after this: too small loses in-flight work, too large leaves the others no time. */
export const CLOSE_TIMEOUT_MS = 10_000
/** A process that hangs on its way down is ended after this: it has drained, finished, and closed what it had opened. */
export const FORCED_EXIT_MS = 45_000
