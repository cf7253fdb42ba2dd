/** What the replica that holds a queue's poll is told: which polls of the queue are to end. */
interface Takeover {
  readonly queueId: string
  /** Polls with a lower number end; all of them where there is none. */
  readonly newerNumber: number
}

/** As it is sent: queue IDs hold no space. */
export function textOfTakeover(queueId: string, newerNumber?: number): string {
  return newerNumber === undefined ? queueId : `${queueId} ${newerNumber}`
}

/** Reads what was sent. */
export function parseTakeover(text: string): Takeover {
  const [queueId = '', number] = text.split(' ')
  return { queueId, newerNumber: number === undefined ? Number.POSITIVE_INFINITY : Number(number) }
}
