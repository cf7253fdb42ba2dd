import { normalizeTopic, RESOLVED_PREFIX } from '../messages/content.rules.ts'

/** A move of messages, as those who find it are told. */
export interface MoveStory {
  readonly mover: { readonly user_id: number; readonly full_name: string }
  readonly from: Thread
  readonly to: Thread
  /** How many messages moved. */
  readonly count: number
  /** All that there was. */
  readonly isWhole: boolean
}
interface Thread {
  readonly channelName: string
  readonly topic: string
}

/** Whether renaming a topic resolves it, opens it again, or does neither. */
export function resolution(before: string, after: string): 'resolved' | 'unresolved' | null {
  if (!before.startsWith(RESOLVED_PREFIX) && after === normalizeTopic(RESOLVED_PREFIX + before))
    return 'resolved'
  if (!after.startsWith(RESOLVED_PREFIX) && before === normalizeTopic(RESOLVED_PREFIX + after))
    return 'unresolved'
  return null
}

/** What the topic itself is told when it was resolved or opened again. */
export function resolutionText(mover: MoveStory['mover'], what: 'resolved' | 'unresolved'): string {
  return `${mention(mover)} has marked this topic as ${what}.`
}

/** What stays behind where messages left. */
export function oldThreadText({ mover, to, count, isWhole }: MoveStory): string {
  const where = `to ${link(to)} by ${mention(mover)}.`
  if (isWhole) return `This topic was moved ${where}`
  return count === 1
    ? `A message was moved from this topic ${where}`
    : `${count} messages were moved from this topic ${where}`
}

/** What is said where messages came. */
export function newThreadText({ mover, from, count, isWhole }: MoveStory): string {
  const where = `here from ${link(from)} by ${mention(mover)}.`
  if (isWhole) return `This topic was moved ${where}`
  return count === 1 ? `A message was moved ${where}` : `${count} messages were moved ${where}`
}

/** Nobody is notified by it. */
const mention = ({ user_id, full_name }: MoveStory['mover']): string => `@_**${full_name}|${user_id}**`
const link = ({ channelName, topic }: Thread): string => `#**${channelName}>${topic}**`
