import { topicOf } from '@tms/contracts'
import { normalizeTopicText, RESOLVED_PREFIX } from '../kernel/text/content.rules.ts'

/** A move, as described by its notices. */
export interface MoveSummary {
  readonly mover: { readonly user_id: number; readonly full_name: string }
  readonly from: TopicName
  readonly to: TopicName
  /** How many messages moved. */
  readonly count: number
  /** The whole topic moved. */
  readonly isWhole: boolean
}
interface TopicName {
  readonly channelName: string
  readonly topic: string
}

/** Whether a change would mark the empty topic as resolved, by adding the prefix to it or to its name. */
export function resolvesEmptyTopic(before: string, after: string): boolean {
  if (before !== '') return false
  return (
    after === RESOLVED_PREFIX.trim() ||
    (after.startsWith(RESOLVED_PREFIX) && topicOf(after.slice(RESOLVED_PREFIX.length)) === '')
  )
}

/** Whether renaming a topic resolves it, reopens it, or neither, as for the empty topic. */
export function findResolution(before: string, after: string): 'resolved' | 'unresolved' | null {
  if (before === '' || after === '') return null
  if (!before.startsWith(RESOLVED_PREFIX) && after === normalizeTopicText(RESOLVED_PREFIX + before))
    return 'resolved'
  if (!after.startsWith(RESOLVED_PREFIX) && before === normalizeTopicText(RESOLVED_PREFIX + after))
    return 'unresolved'
  return null
}

/** Writes the notice in a topic that was resolved or reopened. */
export function writeResolutionNotice(mover: MoveSummary['mover'], what: 'resolved' | 'unresolved'): string {
  return `${mention(mover)} has marked this topic as ${what}.`
}

/** Writes the notice in the old topic. */
export function writeOldTopicNotice({ mover, to, count, isWhole }: MoveSummary): string {
  const where = `to ${link(to)} by ${mention(mover)}.`
  if (isWhole) return `This topic was moved ${where}`
  return count === 1
    ? `A message was moved from this topic ${where}`
    : `${count} messages were moved from this topic ${where}`
}

/** Writes the notice in the new topic. */
export function writeNewTopicNotice({ mover, from, count, isWhole }: MoveSummary): string {
  const where = `here from ${link(from)} by ${mention(mover)}.`
  if (isWhole) return `This topic was moved ${where}`
  return count === 1 ? `A message was moved ${where}` : `${count} messages were moved ${where}`
}

/** A silent mention. */
const mention = ({ user_id, full_name }: MoveSummary['mover']): string => `@_**${full_name}|${user_id}**`
const link = ({ channelName, topic }: TopicName): string => `#**${channelName}>${topic}**`
