/** What decides whether a person wrote a mail. */
export interface MailHeaders {
  /** Lower-cased names, with their values. */
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly subject: string
  readonly from: string
  /** The sender of the envelope; empty for bounces. */
  readonly envelopeSender: string
}

/** Servers that a mail has passed; more is a loop. */
const MAX_HOPS = 30

/** Headers that only programs write, and lists. */
const AUTOMATIC_IF_PRESENT = [
  'list-id',
  'list-unsubscribe',
  'x-autoreply',
  'x-autorespond',
  'x-autoresponder',
  'x-failed-recipients',
  'x-ms-exchange-generated-message-source',
  'x-ms-exchange-inbox-rules-loop',
]
const AUTOMATIC_VALUES: Readonly<Record<string, RegExp>> = {
  'auto-submitted': /^(?!no\b)/i,
  precedence: /^(?:bulk|junk|list|auto_reply)\b/i,
  'x-auto-response-suppress': /\ball\b/i,
  'return-path': /^<>$/,
  'content-type': /^multipart\/report\b/i,
}
const AUTOMATIC_SENDERS = /^(?:mailer-daemon|postmaster|no-?reply)@/i
/** Of programs that write no such header. */
const AUTOMATIC_SUBJECTS =
  /^(?:auto(?:matic)?[- ]?reply|out of (?:the )?office|automatische antwort|abwesenheitsnotiz|réponse automatique|absence du bureau|respuesta automática|fuera de la oficina|resposta automática|自動応答|自動返信|不在通知)/i

/**
 * What shows that a program wrote a mail: an out-of-office note, a bounce, a list, or one of ours that was sent on; null if a
 * person did. `own` is the address that our mails come from.
 */
export function findSignOfProgram(
  { headers, subject, from, envelopeSender }: MailHeaders,
  own: string,
): string | null {
  if (envelopeSender === '') return 'no envelope sender'
  if (AUTOMATIC_SENDERS.test(from) || from.toLowerCase() === own.toLowerCase()) return 'from'
  if (AUTOMATIC_SUBJECTS.test(subject.trim())) return 'subject'
  if (headers.filter(({ key }) => key === 'received').length > MAX_HOPS) return 'received'
  const header = headers.find(
    ({ key, value }) =>
      AUTOMATIC_IF_PRESENT.includes(key) || AUTOMATIC_VALUES[key]?.test(value.trim()) === true,
  )
  return header?.key ?? null
}
