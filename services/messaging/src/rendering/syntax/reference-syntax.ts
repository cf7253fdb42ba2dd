import { topicOf } from '@tms/contracts'

/** Names have at most 100 code points; the bound on the text between the stars keeps every scan linear. */
const MENTION = /@(_?)\*\*([^*\n]{1,256})\*\*/y
const GROUP_MENTION = /@(_?)\*([^*\n]{1,256})\*(?!\*)/y
const MENTION_WITH_ID = /^(.*)\|(\d{1,10})$/s
/** The topic before it may itself contain an `@`. */
const TOPIC_WITH_MESSAGE = /^(.*)@(\d{1,15})$/s
const CHANNEL = /#\*\*([^*\n]{1,256})\*\*/y

/** User IDs have 32 bits in the database; a larger number would fail there instead of being unknown. */
const MAX_USER_ID = 2_147_483_647

const CHANNEL_WILDCARDS: ReadonlySet<string> = new Set(['all', 'everyone', 'stream', 'channel'])
const TOPIC_WILDCARD = 'topic'

/** A mention as written, before it is known whether such a user exists. */
export type WrittenMention = WildcardMention | UserMention

export interface WildcardMention extends Written {
  kind: 'wildcard'
  audience: 'channel' | 'topic'
  name: string
}

/** With an ID, a name that isn't empty (as in the `@**|id**` form) must equal the user's name exactly. */
export type UserMention = Written &
  ({ kind: 'name'; name: string } | { kind: 'id'; name: string; userId: number })

interface Written {
  length: number
  isSilent: boolean
}

/** A mention of a group as written. */
export interface WrittenGroupMention extends Written {
  name: string
}

/** A channel link as written. A channel name may itself contain `>`, so try `whole` last. */
export interface WrittenChannel {
  length: number
  whole: string
  withTopic: WrittenTopic | null
}

/** The channel and the topic of a link, and the message that it leads to; null for the topic itself. */
export interface WrittenTopic {
  name: string
  /** Empty for the empty topic, also if it is written by its name. */
  topic: string
  messageId: number | null
}

/** Reads the mention that starts at `pos`, or returns null. */
export function readMention(text: string, pos: number): WrittenMention | null {
  const match = matchAt(MENTION, text, pos)
  const name = match?.[2]
  if (!match || name === undefined) return null

  const base = { length: match[0].length, isSilent: match[1] === '_' }
  if (CHANNEL_WILDCARDS.has(name)) return { ...base, kind: 'wildcard', audience: 'channel', name }
  if (name === TOPIC_WILDCARD) return { ...base, kind: 'wildcard', audience: 'topic', name }

  const withId = MENTION_WITH_ID.exec(name)
  if (!withId) return { ...base, kind: 'name', name }
  const userId = Number(withId[2])
  return userId > MAX_USER_ID ? null : { ...base, kind: 'id', name: withId[1] ?? '', userId }
}

/** Reads the mention of a group that starts at `pos`, or returns null. */
export function readGroupMention(text: string, pos: number): WrittenGroupMention | null {
  const match = matchAt(GROUP_MENTION, text, pos)
  const name = match?.[2]
  if (!match || name === undefined) return null
  return { length: match[0].length, isSilent: match[1] === '_', name }
}

/** Reads the channel or topic link that starts at `pos`, or returns null. */
export function readChannel(text: string, pos: number): WrittenChannel | null {
  const match = matchAt(CHANNEL, text, pos)
  const whole = match?.[1]
  if (!match || whole === undefined) return null

  const arrow = whole.indexOf('>')
  const withTopic = arrow > 0 ? readTopic(whole.slice(0, arrow), whole.slice(arrow + 1)) : null
  return { length: match[0].length, whole, withTopic }
}

function readTopic(name: string, written: string): WrittenTopic {
  const [, topic, messageId] = TOPIC_WITH_MESSAGE.exec(written) ?? []
  if (topic === undefined) return { name, topic: topicOf(written), messageId: null }
  return { name, topic: topicOf(topic), messageId: Number(messageId) }
}

/**
 * Whether a mention or channel link may start here: only at the start of a text or after one of these, so `user@**x**`
 * is none.
 */
export function mayStartReference(text: string, pos: number): boolean {
  return pos === 0 || /[\s'"({[/<]/.test(text.charAt(pos - 1))
}

function matchAt(pattern: RegExp, text: string, pos: number): RegExpExecArray | null {
  pattern.lastIndex = pos
  return pattern.exec(text)
}
