/** What happened in a topic lately, for everyone who reads it. */
export interface TopicNews {
  readonly topicKey: string
  readonly messages: number
  /** People who wrote them, bots not counted. */
  readonly people: number
  /** The oldest of the messages. */
  readonly firstId: number
}

/** Topics of a digest, and how many of them are those in which most people wrote. */
export const MAX_TOPICS = 4
const MAX_DIVERSE_TOPICS = 2

/**
 * The order in which topics are looked at for a digest: two in which most people wrote, then the longest. Each list goes
 * on where the one before is used up, so that topics of which the user has missed nothing are replaced. `isUsable` says
 * whether a topic has anything for the user; at most `maxTries` are asked about.
 */
export async function chooseTopics<T extends TopicNews, R>(
  topics: readonly T[],
  maxTries: number,
  describe: (topic: T) => Promise<R | null>,
): Promise<R[]> {
  const byPeople = topics.toSorted((a, b) => b.people - a.people || b.messages - a.messages)
  const byLength = topics.toSorted((a, b) => b.messages - a.messages || b.people - a.people)
  const chosen: R[] = []
  const tried = new Set<T>()
  const chooseFrom = async (ordered: readonly T[], max: number) => {
    for (const topic of ordered) {
      if (chosen.length >= max || tried.size >= maxTries) return
      if (tried.has(topic)) continue
      tried.add(topic)
      const described = await describe(topic)
      if (described !== null) chosen.push(described)
    }
  }
  await chooseFrom(byPeople, MAX_DIVERSE_TOPICS)
  await chooseFrom(byLength, MAX_TOPICS)
  return chosen
}
