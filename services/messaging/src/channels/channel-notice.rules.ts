import { type ChannelRecord, isSameGroupSetting, systemGroupIds } from '@tms/contracts'

/** Topic of notices about a channel itself. */
export const CHANNEL_EVENTS_TOPIC = 'stream events'
/** Topic of notices about new channels. */
export const NEW_CHANNELS_TOPIC = 'new streams'

/** The user whose action a notice is about. */
export interface Actor {
  readonly user_id: number
  readonly full_name: string
}

/**
 * Writes the notice in a new channel. Names and descriptions in notices are untrusted: a name is put into a link,
 * which contains only text, or into a code span; a description is put into a quote, where mentions are silent.
 */
export function writeCreatedNotice(actor: Actor, channel: ChannelRecord): string {
  return `${mention(actor)} created this channel. It is ${kindOf(channel)}.\n\n${quote(channel.description)}`
}

/** Writes the notice in the channel for announcements of new channels. */
export function writeAnnouncedNotice(actor: Actor, names: readonly string[]): string {
  return `${mention(actor)} created ${listNames(names)}`
}

/** Writes the direct message to users after another user subscribed them. */
export function writeSubscribedNotice(actor: Actor, names: readonly string[]): string {
  return `${mention(actor)} subscribed you to ${listNames(names)}`
}

/** Writes a notice for each change of a channel that concerns its subscribers. */
export function writeChangeNotices(actor: Actor, before: ChannelRecord, channel: ChannelRecord): string[] {
  const user = mention(actor)
  const notices: string[] = []
  if (before.name !== channel.name) {
    notices.push(`${user} renamed this channel from ${code(before.name)} to ${code(channel.name)}.`)
  }
  if (before.description !== channel.description) {
    const [old, now] = [quote(before.description), quote(channel.description)]
    notices.push(`${user} described this channel anew. Before:\n\n${old}\n\nNow:\n\n${now}`)
  }
  if (kindOf(before) !== kindOf(channel)) {
    notices.push(`${user} made this channel ${kindOf(channel)}. It was ${kindOf(before)}.`)
  }
  if (!isSameGroupSetting(before.can_send_message_group, channel.can_send_message_group)) {
    const [old, now] = [postersOf(before), postersOf(channel)]
    notices.push(`${user} let ${now} post in this channel. It was ${old} before.`)
  }
  if (before.message_retention_days !== channel.message_retention_days) {
    const [old, now] = [retentionOf(before), retentionOf(channel)]
    notices.push(`${user} had messages of this channel kept ${now}. They were kept ${old} before.`)
  }
  return notices
}

/** Describes the privacy of a channel. */
export function kindOf(
  channel: Pick<ChannelRecord, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>,
): string {
  if (channel.is_web_public) return '**web-public**'
  if (!channel.invite_only) return '**public**'
  return channel.history_public_to_subscribers
    ? '**private, with shared history**'
    : '**private, with protected history**'
}

function postersOf({ can_send_message_group }: ChannelRecord): string {
  switch (can_send_message_group) {
    case systemGroupIds['role:everyone']:
      return '**everyone**'
    case systemGroupIds['role:members']:
      return '**members**'
    case systemGroupIds['role:fullmembers']:
      return '**full members**'
    case systemGroupIds['role:moderators']:
      return '**moderators and administrators**'
    case systemGroupIds['role:administrators']:
      return '**administrators**'
    case systemGroupIds['role:owners']:
      return '**owners**'
    case systemGroupIds['role:nobody']:
      return '**nobody**'
    default:
      return '**chosen users and groups**'
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

/** A silent mention of a user. */
export const mention = ({ full_name, user_id }: Actor): string => `@_**${full_name}|${user_id}**`

/**
 * A link to a channel. A link takes everything between its asterisks as the name, so a name with an asterisk
 * becomes a code span.
 */
export const link = (name: string): string => (name.includes('*') ? code(name) : `#**${name}**`)

/** A code span whose fence is longer than any run of backticks within. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${text} ${fence}`
}

const quote = (description: string): string => (description === '' ? '*No description.*' : `> ${description}`)
