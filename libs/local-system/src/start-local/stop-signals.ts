/**
 * npm passes a Ctrl-C on that the terminal has sent to us as well, so the same key press can arrive twice; what
 * comes later than this is a second key press.
 */
const ECHO_MS = 1_000

const PARENT_CHECK_MS = 500

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls `onStop` at the first request to stop (it may come twice) and `onForce` at later ones. Answers the function that ends the
 * listening.
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
 * A SIGTERM to npm ends the shell that npm runs scripts in, and the shell doesn't pass it on: then the end of our
 * parent is the only sign of it. Not watched outside npm, where being left alone by the parent is normal.
 */
function watchParent(onGone: () => void, env: NodeJS.ProcessEnv): NodeJS.Timeout | undefined {
  if (!env['npm_lifecycle_event']) return undefined
  const parent = process.ppid
  return setInterval(() => process.ppid !== parent && onGone(), PARENT_CHECK_MS).unref()
}
