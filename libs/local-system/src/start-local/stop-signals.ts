/**
 * npm forwards a Ctrl-C that the terminal has sent to us as well, so the same key press can arrive twice; a later
 * signal is a second key press.
 */
const ECHO_MS = 1_000

const PARENT_CHECK_MS = 500

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls `onStop` at the first request to stop (it may come twice) and `onForce` at later ones. Returns the function
 * that removes the listeners.
 */
export function listenForStop(onStop: () => void, onForce: () => void, env: NodeJS.ProcessEnv): () => void {
  let firstAt: number | null = null
  const listener = () => {
    if (firstAt === null) {
      firstAt = Date.now()
      onStop()
      return
    }
    if (Date.now() - firstAt > ECHO_MS) onForce()
  }
  for (const signal of signals) process.on(signal, listener)
  const watch = watchParent(onStop, env)
  return () => {
    clearInterval(watch)
    for (const signal of signals) process.off(signal, listener)
  }
}

/**
 * A SIGTERM to npm ends the shell that npm runs scripts in, which doesn't forward it: then the end of our parent is
 * the only sign of it. Only under npm, because elsewhere a parent may end normally.
 */
function watchParent(onParentExit: () => void, env: NodeJS.ProcessEnv): NodeJS.Timeout | undefined {
  if (!env['npm_lifecycle_event']) return undefined
  const parent = process.ppid
  return setInterval(() => process.ppid !== parent && onParentExit(), PARENT_CHECK_MS).unref()
}
