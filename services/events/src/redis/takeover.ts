/** Message to the replica with a queue's pending poll: the polls of the queue to end. */
interface Takeover {
  readonly queueId: string
  /** Polls with a lower number end. Infinity ends all of them. */
  readonly newerNumber: number
}

/** Parses the message of a script: the queue's ID, and optionally a space, which no ID contains, and the number. */
export function parseTakeover(text: string): Takeover {
  const [queueId = '', number] = text.split(' ')
  return { queueId, newerNumber: number === undefined ? Number.POSITIVE_INFINITY : Number(number) }
}
