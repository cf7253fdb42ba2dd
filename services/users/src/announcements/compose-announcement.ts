import type { RealmProjection } from '@tms/contracts'
import { renderLetter } from '@tms/short-texts'
import type { Locale } from '../kernel/languages/locale.ts'
import type { Mail } from '../kernel/mails/mail.ts'
import type { StoredAnnouncement } from './announcement.queries.ts'

/** A recipient of an announcement. */
interface AnnouncementReader {
  readonly to: string
  readonly toName: string
  readonly locale: Locale
  readonly unsubscribeUrl: string
}

/** The mail of an announcement: the operator's words, and how to get no more of such mails. */
export function composeAnnouncement(
  { subject, content, isMarkdown }: StoredAnnouncement,
  { name, url }: Pick<RealmProjection, 'name' | 'url'>,
  { to, toName, locale, unsubscribeUrl }: AnnouncementReader,
): Mail {
  const { language, timeZone, text } = locale
  return {
    ...{ to, toName, language, timeZone, subject, unsubscribeUrl },
    realm: { name, url },
    paragraphs: [],
    letter: { text: content, html: renderLetter(content, isMarkdown) },
    remarks: [text('announcement.reason', { realm: name })],
    links: [
      { label: text('link.settings'), url: `${url}/#settings/notifications` },
      { label: text('link.unsubscribe'), url: unsubscribeUrl },
    ],
  }
}
