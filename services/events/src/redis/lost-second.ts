interface LostSecondOptions {
  /** Time of the last connection to Redis, in milliseconds. */
  readonly connectedAt: () => number
  /** Finds the end of the log. Rejects while the broker is unavailable. */
  readonly findEnd: () => Promise<number>
}

/**
 * Returns a function that decides whether Redis may have lost a commit that contained a log offset. A client may have got its
 * events before, and acknowledges them although Redis doesn't know them yet. Redis can only lose writes before
 * the last connection, so offsets that were written to the log after that can't have been lost. Until the end of the log at that
 * time is known, any offset may be lost: rejecting an event that a client really received would be worse than accepting one
 * that it made up.
 */
export function watchLostSecond({ connectedAt, findEnd }: LostSecondOptions): (offset: number) => boolean {
  /** Time of the connection that `end` belongs to, or will belong to once found. */
  let connection: number | null = null
  let end = Number.POSITIVE_INFINITY

  const updateEnd = async (forConnection: number) => {
    const found = await findEnd().catch(() => null)
    if (connection !== forConnection) return
    if (found === null) connection = null
    else end = found
  }
  return (offset) => {
    const current = connectedAt()
    if (connection !== current) {
      connection = current
      end = Number.POSITIVE_INFINITY
      void updateEnd(current)
    }
    return offset <= end
  }
}
