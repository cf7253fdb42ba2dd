/**
 * Runs one call at a time, however many callers there are. Callers that arrive during a call share the next one, because the
 * running call may have begun before what they want to learn had happened.
 */
export function shareCalls<T>(call: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null
  let following: Promise<T> | null = null
  const begin = (): Promise<T> => {
    const running = call().finally(() => {
      if (current === running) current = null
    })
    current = running
    return running
  }
  return () => {
    if (!current) return begin()
    following ??= current
      .catch(() => {})
      .then(() => {
        following = null
        return current ?? begin()
      })
    return following
  }
}
