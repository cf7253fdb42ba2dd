import type { Digest, RealmProjection } from '@tms/contracts'
import type { Mail, MailSection } from '../kernel/mails/mail.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import type { Addressee } from '../missed-messages/compose-missed-mail.ts'
import { findHider } from '../missed-messages/hidden-content.rules.ts'

/** The mail of a digest, which shows what user and organization let it show. */
export function composeDigestOf(
  account: Parameters<typeof settingsOf>[0],
  realm: RealmProjection,
  addressee: Addressee,
  digest: Digest,
): Mail {
  const hiddenBy = findHider(settingsOf(account), realm)
  return hiddenBy === null ? composeDigest(addressee, digest) : composeHiddenDigest(addressee, hiddenBy)
}

/** The mail about what a user missed within a week. */
export function composeDigest(addressee: Addressee, digest: Digest): Mail {
  const { name: realm, url } = addressee.realm
  const { text } = addressee.locale
  const { topics, channels, further_channels: further } = digest
  const created: MailSection = {
    title: text('digest.channels'),
    links: channels.map((channel) => ({ label: `#${channel.name}`, url: `${url}${channel.path}` })),
    ...(further > 0 && { remark: text('digest.more_channels', { count: further }) }),
  }
  return {
    ...frameOf(addressee),
    paragraphs: [text('greeting', { name: addressee.toName }), text('digest.intro', { realm })],
    sections: [
      ...topics.map((topic) => sectionOf(addressee, topic)),
      ...(channels.length > 0 ? [created] : []),
    ],
    action: { label: text('open', { realm }), url: `${url}/` },
    remarks: [`${text('digest.reason')} ${text('missed.unanswerable')}`],
  }
}

/** A digest that says only that there is news. `hiddenBy` says on whose behalf. */
export function composeHiddenDigest(addressee: Addressee, hiddenBy: 'organization' | 'user'): Mail {
  const { name: realm, url } = addressee.realm
  const { text } = addressee.locale
  return {
    ...frameOf(addressee),
    paragraphs: [text('greeting', { name: addressee.toName }), text('digest.hidden', { realm })],
    action: { label: text('open', { realm }), url: `${url}/` },
    remarks: [text(`missed.hidden_by.${hiddenBy}`)],
  }
}

function frameOf({ to, toName, locale, realm, unsubscribeUrl }: Addressee) {
  const { language, text } = locale
  return {
    to,
    toName,
    language,
    subject: text('digest.subject', { realm: realm.name }),
    realm: { name: realm.name, url: realm.url },
    links: [
      { label: text('link.settings'), url: `${realm.url}/#settings/notifications` },
      { label: text('link.unsubscribe'), url: unsubscribeUrl },
    ],
    unsubscribeUrl,
  }
}

function sectionOf({ realm, locale }: Addressee, topic: Digest['topics'][number]): MailSection {
  const { messages, participants, further_participants: others, further_messages: count } = topic
  const { list, text } = locale
  const names = list([...participants, ...(others > 0 ? [text('missed.others', { count: others })] : [])])
  return {
    title: `#${topic.channel_name} > ${topic.topic}`,
    url: `${realm.url}${topic.path}`,
    messages: messages.map((message, index) => ({
      senderName: message.sender_name === messages[index - 1]?.sender_name ? null : message.sender_name,
      text: message.text,
      html: message.html,
    })),
    remark: count > 0 ? text('digest.more', { count, names }) : text('digest.with', { names }),
  }
}
