/**
 * One question at a time, however many ask it: who comes while one is under way gets the answer of the next, since what they
 * ask about may have happened after that one was asked.
 */
export function shareQuestion<T>(ask: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null
  let following: Promise<T> | null = null
  const begin = (): Promise<T> => {
    const asked = ask().finally(() => {
      if (current === asked) current = null
    })
    current = asked
    return asked
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
