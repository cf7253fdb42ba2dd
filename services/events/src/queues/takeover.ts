/** What the replica that holds a queue's poll is told: which polls of the queue are to end. */
interface Takeover {
  readonly queueId: string
  /** Polls with a lower number end; all of them where there is none. */
  readonly newerNumber: number
}

/** Reads what a script has sent: the queue's ID, and after a space, which no ID holds, the number if there is one. */
export function parseTakeover(text: string): Takeover {
  const [queueId = '', number] = text.split(' ')
  return { queueId, newerNumber: number === undefined ? Number.POSITIVE_INFINITY : Number(number) }
}
