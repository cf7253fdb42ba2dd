import type { MissedConversation, NotificationTrigger, RealmProjection } from '@tms/contracts'
import type { Mail } from '../kernel/mails/mail.ts'

/** With what the topics begin that users have marked as resolved. */
const RESOLVED = '✔ '

/** The recipient of a mail, and what it says of the organization. */
export interface Addressee {
  readonly to: string
  readonly toName: string
  readonly realm: Pick<RealmProjection, 'name' | 'url'>
  /** The subject ends with the organization's name. */
  readonly namesRealm: boolean
  readonly unsubscribeUrl: string
}

/** A mail about what a user missed in one conversation. */
export function composeMissedMail(addressee: Addressee, conversation: MissedConversation): Mail {
  const { kind, messages, omitted_count: omitted, recipient_id: recipientId, topic } = conversation
  const { url } = addressee.realm
  return {
    ...frameOf(addressee, subjectOf(conversation)),
    paragraphs: omitted > 0 ? [`${countOf(omitted, 'earlier message')} not shown here.`] : [],
    messages: messages.map(({ sender_name, text, html }, index) => ({
      // In a conversation of two it is the one that the subject names.
      senderName: kind === 'direct' || sender_name === messages[index - 1]?.sender_name ? null : sender_name,
      text,
      html,
    })),
    action: { label: 'Open the conversation', url: `${url}${conversation.path}` },
    remarks: [`${reasonOf(conversation)} Replies to this mail reach nobody.`],
    thread: threadOf(kind, recipientId, topic),
  }
}

/** A mail that says only that there are messages. `hiddenBy` says on whose behalf. */
export function composeHiddenMail(addressee: Addressee, hiddenBy: 'organization' | 'user'): Mail {
  const { name, url } = addressee.realm
  const why =
    hiddenBy === 'organization'
      ? 'This mail does not show them because your organization has turned that off.'
      : 'This mail does not show them because you have turned that off in your settings.'
  return {
    ...frameOf(addressee, 'New messages'),
    paragraphs: [`You have new messages in ${name}.`],
    action: { label: `Open ${name}`, url: `${url}/` },
    remarks: [why],
  }
}

/** A mail for conversations that get none of their own. */
export function composeSummaryMail(addressee: Addressee, count: number, isLast: boolean): Mail {
  const { name, url } = addressee.realm
  const more = isLast ? ' You get no more mails about missed messages for up to a day.' : ''
  return {
    ...frameOf(addressee, `Unread messages in ${countOf(count, 'more conversation')}`),
    paragraphs: [`You have unread messages in ${countOf(count, 'more conversation')}.${more}`],
    action: { label: `Open ${name}`, url: `${url}/` },
  }
}

function frameOf({ to, toName, realm, namesRealm, unsubscribeUrl }: Addressee, subject: string) {
  return {
    to,
    toName,
    subject: namesRealm ? `${subject} [${realm.name}]` : subject,
    realm: { name: realm.name, url: realm.url },
    links: [
      { label: 'Notification settings', url: `${realm.url}/#settings/notifications` },
      { label: 'Unsubscribe', url: unsubscribeUrl },
    ],
    unsubscribeUrl,
  }
}

function subjectOf({ kind, channel_name: channel, topic, participants }: MissedConversation): string {
  if (kind === 'direct') return `DMs with ${participants[0] ?? 'yourself'}`
  if (kind === 'group') return `Group DMs with ${listOf(participants)}`
  // Mail programs ignore what is in brackets when they group mails by subject.
  return topic.startsWith(RESOLVED)
    ? `[resolved] #${channel} > ${topic.slice(RESOLVED.length)}`
    : `#${channel} > ${topic}`
}

function listOf(names: readonly string[]): string {
  const [a, b, c] = names
  if (names.length === 2) return `${a} and ${b}`
  if (names.length === 3) return `${a}, ${b}, and ${c}`
  return `${a}, ${b}, and ${names.length - 2} others`
}

/** No mail has it as its own ID: mail programs group by it all the same. */
function threadOf(kind: MissedConversation['kind'], recipientId: number, topic: string): string {
  if (kind !== 'channel') return String(recipientId)
  const bare = topic.startsWith(RESOLVED) ? topic.slice(RESOLVED.length) : topic
  return `${recipientId}.${Buffer.from(bare.toLowerCase()).toString('base64url')}`
}

const reasons: Record<NotificationTrigger, string> = {
  direct_message: 'You get this mail because it was written to you directly.',
  mentioned: 'You get this mail because you were mentioned.',
  topic_wildcard_mentioned_in_followed_topic:
    'You get this mail because all participants of a topic that you follow were mentioned.',
  stream_wildcard_mentioned_in_followed_topic:
    'You get this mail because everyone was mentioned in a topic that you follow.',
  topic_wildcard_mentioned: 'You get this mail because all participants of the topic were mentioned.',
  stream_wildcard_mentioned: 'You get this mail because everyone in the channel was mentioned.',
  followed_topic_email_notify: 'You get this mail because you follow this topic.',
  stream_email_notify: 'You get this mail because you have turned on mails for this channel.',
}

function reasonOf({ trigger, group_name: group }: MissedConversation): string {
  return trigger === 'mentioned' && group !== null
    ? `You get this mail because @${group} was mentioned.`
    : reasons[trigger]
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
