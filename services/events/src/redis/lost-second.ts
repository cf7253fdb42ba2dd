interface LostSecondOptions {
  /** When Redis was last connected with, in milliseconds. */
  readonly connectedAt: () => number
  /** Where the log ends. Rejects while the broker is away. */
  readonly findEnd: () => Promise<number>
}

/**
 * Tells whether Redis may have stood at a log offset and have lost it. It can only have done so before it was last
 * connected with, so what has been written to the log since then was not in what it lost. Until it is known where the log
 * ended then, anything may be lost: to refuse what a client was told would be worse than to believe one that makes it up.
 */
export function watchLostSecond({ connectedAt, findEnd }: LostSecondOptions): (offset: number) => boolean {
  /** The connection that `end` is, or is going to be, of. */
  let connection: number | null = null
  let end = Number.POSITIVE_INFINITY

  const ask = async (of: number) => {
    const found = await findEnd().catch(() => null)
    if (connection !== of) return
    if (found === null) connection = null
    else end = found
  }
  return (offset) => {
    const current = connectedAt()
    if (connection !== current) {
      connection = current
      end = Number.POSITIVE_INFINITY
      void ask(current)
    }
    return offset <= end
  }
}
