import type { ChannelRecord } from '@tms/contracts'
import { PostPolicy } from './channel.rules.ts'

/** Where a channel's own history is written. */
export const CHANNEL_EVENTS_TOPIC = 'stream events'
/** Where new channels are announced. */
export const NEW_CHANNELS_TOPIC = 'new streams'

/** Whoever did what a notice tells of. */
export interface Actor {
  readonly user_id: number
  readonly full_name: string
}

/**
 * What the organization's own actor writes about channels, in Markdown. Names and descriptions are hostile: a
 * name stands in a link, which holds nothing but text, or in a code span; a description in a quote, where a
 * mention is silent.
 */
export function tellCreated(actor: Actor, channel: ChannelRecord): string {
  return `${mention(actor)} created this channel. It is ${kindOf(channel)}.\n\n${quote(channel.description)}`
}

/** What is posted where the organization announces new channels. */
export function tellAnnounced(actor: Actor, names: readonly string[]): string {
  return `${mention(actor)} created ${listNames(names)}`
}

/** What users are told whom someone else subscribed. */
export function tellSubscribed(actor: Actor, names: readonly string[]): string {
  return `${mention(actor)} subscribed you to ${listNames(names)}`
}

/** A notice for each change of a channel that its subscribers want to know of, in the order of the changes. */
export function tellChanges(actor: Actor, before: ChannelRecord, channel: ChannelRecord): string[] {
  const who = mention(actor)
  const notices: string[] = []
  if (before.name !== channel.name) {
    notices.push(`${who} renamed this channel from ${code(before.name)} to ${code(channel.name)}.`)
  }
  if (before.description !== channel.description) {
    const [old, now] = [quote(before.description), quote(channel.description)]
    notices.push(`${who} described this channel anew. Before:\n\n${old}\n\nNow:\n\n${now}`)
  }
  if (kindOf(before) !== kindOf(channel)) {
    notices.push(`${who} made this channel ${kindOf(channel)}. It was ${kindOf(before)}.`)
  }
  if (before.stream_post_policy !== channel.stream_post_policy) {
    const [old, now] = [postersOf(before), postersOf(channel)]
    notices.push(`${who} let ${now} post in this channel. It was ${old} before.`)
  }
  if (before.message_retention_days !== channel.message_retention_days) {
    const [old, now] = [retentionOf(before), retentionOf(channel)]
    notices.push(`${who} had messages of this channel kept ${now}. They were kept ${old} before.`)
  }
  return notices
}

/** What kind of channel it is, in words. */
export function kindOf(
  channel: Pick<ChannelRecord, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>,
): string {
  if (channel.is_web_public) return '**web-public**'
  if (!channel.invite_only) return '**public**'
  return channel.history_public_to_subscribers
    ? '**private, with shared history**'
    : '**private, with protected history**'
}

function postersOf({ stream_post_policy }: ChannelRecord): string {
  switch (stream_post_policy) {
    case PostPolicy.everyone:
      return '**everyone**'
    case PostPolicy.fullMembers:
      return '**full members**'
    case PostPolicy.moderators:
      return '**moderators and administrators**'
    default:
      return '**administrators**'
  }
}

function retentionOf({ message_retention_days: days }: ChannelRecord): string {
  if (days === null) return '**as long as the organization keeps messages**'
  return days === -1 ? '**forever**' : `**for ${days} days**`
}

function listNames(names: readonly string[]): string {
  const [only] = names
  if (names.length === 1 && only !== undefined) return `${link(only)}.`
  return `these channels:\n\n${names.map((name) => `* ${link(name)}`).join('\n')}`
}

/** Names someone without notifying them. */
export const mention = ({ full_name, user_id }: Actor): string => `@_**${full_name}|${user_id}**`

/** Refers to a channel. A link takes everything between its stars as the name, but can't hold a star. */
export const link = (name: string): string => (name.includes('*') ? code(name) : `#**${name}**`)

/** A code span whose fence is longer than any within. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${text} ${fence}`
}

const quote = (description: string): string => (description === '' ? '*No description.*' : `> ${description}`)
