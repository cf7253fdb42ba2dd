import type { MissedConversation, RealmProjection } from '@tms/contracts'
import type { Locale } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'

/** With what the topics begin that users have marked as resolved. */
const RESOLVED = '✔ '
/** Names of a group that a subject lists all; of more it has two. */
const MAX_NAMES = 3

/** The recipient of a mail, and what it says of the organization. */
export interface Addressee {
  readonly to: string
  readonly toName: string
  readonly locale: Locale
  readonly realm: Pick<RealmProjection, 'name' | 'url'>
  /** The subject ends with the organization's name. */
  readonly namesRealm: boolean
  readonly unsubscribeUrl: string
}

/** A mail about what a user missed in one conversation; answers to `replyTo` are posted there. */
export function composeMissedMail(
  addressee: Addressee,
  conversation: MissedConversation,
  replyTo: string | null = null,
): Mail {
  const { kind, messages, omitted_count: omitted, recipient_id: recipientId, topic } = conversation
  const { url } = addressee.realm
  const { text } = addressee.locale
  return {
    ...frameOf(addressee, subjectOf(conversation, addressee.locale)),
    paragraphs: omitted > 0 ? [text('missed.omitted', { count: omitted })] : [],
    messages: messages.map((message, index) => ({
      // In a conversation of two it is the one that the subject names.
      senderName:
        kind === 'direct' || message.sender_name === messages[index - 1]?.sender_name
          ? null
          : message.sender_name,
      text: message.text,
      html: message.html,
      ...(message.is_context === true && { isContext: true }),
    })),
    action: { label: text('missed.open'), url: `${url}${conversation.path}` },
    remarks: [
      `${reasonOf(conversation, addressee.locale)} ${text(replyTo === null ? 'missed.unanswerable' : 'missed.answerable')}`,
    ],
    thread: threadOf(kind, recipientId, topic),
    ...(replyTo !== null && { replyTo }),
  }
}

/** A mail that says only that there are messages. `hiddenBy` says on whose behalf. */
export function composeHiddenMail(addressee: Addressee, hiddenBy: 'organization' | 'user'): Mail {
  const { name: realm, url } = addressee.realm
  const { text } = addressee.locale
  return {
    ...frameOf(addressee, text('missed.subject.hidden')),
    paragraphs: [text('missed.hidden', { realm })],
    action: { label: text('open', { realm }), url: `${url}/` },
    remarks: [text(`missed.hidden_by.${hiddenBy}`)],
  }
}

/** A mail for conversations that get none of their own. */
export function composeSummaryMail(addressee: Addressee, count: number, isLast: boolean): Mail {
  const { name: realm, url } = addressee.realm
  const { text } = addressee.locale
  return {
    ...frameOf(addressee, text('missed.summary.subject', { count })),
    paragraphs: [
      [text('missed.summary', { count }), ...(isLast ? [text('missed.last_of_day')] : [])].join(' '),
    ],
    action: { label: text('open', { realm }), url: `${url}/` },
  }
}

function frameOf({ to, toName, locale, realm, namesRealm, unsubscribeUrl }: Addressee, subject: string) {
  const { language, timeZone, text } = locale
  return {
    to,
    toName,
    language,
    timeZone,
    subject: namesRealm ? `${subject} [${realm.name}]` : subject,
    realm: { name: realm.name, url: realm.url },
    links: [
      { label: text('link.settings'), url: `${realm.url}/#settings/notifications` },
      { label: text('link.unsubscribe'), url: unsubscribeUrl },
    ],
    unsubscribeUrl,
  }
}

function subjectOf(conversation: MissedConversation, locale: Locale): string {
  const { kind, channel_name: channel, topic, participants } = conversation
  const { text } = locale
  const [name] = participants
  if (kind === 'direct')
    return name === undefined ? text('missed.subject.own') : text('missed.subject.direct', { name })
  if (kind === 'group') return text('missed.subject.group', { names: listOf(participants, locale) })
  // Mail programs ignore what is in brackets when they group mails by subject.
  return topic.startsWith(RESOLVED)
    ? text('missed.subject.resolved', { conversation: `#${channel} > ${topic.slice(RESOLVED.length)}` })
    : `#${channel} > ${topic}`
}

function listOf(names: readonly string[], { list, text }: Locale): string {
  return names.length <= MAX_NAMES
    ? list(names)
    : list([...names.slice(0, 2), text('missed.others', { count: names.length - 2 })])
}

/** No mail has it as its own ID: mail programs group by it all the same. */
function threadOf(kind: MissedConversation['kind'], recipientId: number, topic: string): string {
  if (kind !== 'channel') return String(recipientId)
  const bare = topic.startsWith(RESOLVED) ? topic.slice(RESOLVED.length) : topic
  return `${recipientId}.${Buffer.from(bare.toLowerCase()).toString('base64url')}`
}

function reasonOf({ trigger, group_name: group }: MissedConversation, { text }: Locale): string {
  return trigger === 'mentioned' && group !== null
    ? text('missed.reason.group', { group })
    : text(`missed.reason.${trigger}`)
}
