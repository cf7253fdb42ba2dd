import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { internal, limits, type RealmProjection } from '@tms/contracts'
import { asAppError, type Logger, type Tx, transact } from '@tms/service-kit'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { queueMail, queueNotificationMails } from '../kernel/jobs/queue-mail.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import { addMailRequest, findMailRequests, lockMailRequests } from '../kernel/mails/mail-requests.queries.ts'
import { secondsToNextMail } from '../kernel/mails/mail-requests.rules.ts'
import { findReplyAddress } from '../kernel/mails/reply-address.queries.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import type { MailAttachment, ReadReply } from './read-reply.ts'
import { refusedReplyMail, testedReplyMail } from './reply-mails.ts'
import type { ReplyReader } from './reply-reader.ts'

/**
 * What became of a mail to an address for replies: `repeated` if it was posted before, `refused` if the user was
 * mailed why not, `automatic` if no person wrote it, `tested` if it was a trial, `unknown` if the address is no longer valid,
 * `unreadable` if it is no mail.
 */
export type ReplyOutcome =
  | 'posted'
  | 'repeated'
  | 'refused'
  | 'automatic'
  | 'tested'
  | 'unknown'
  | 'unreadable'

/** A mail as it was received. */
export interface ReceivedMail {
  readonly token: string
  readonly envelopeSender: string
  readonly raw: Buffer
}

/** Replies of a user, beyond which they wait: a stolen address floods nobody, and a loop is slow. */
const REPLY_LIMITS = [
  { max: 30, windowSeconds: 3_600 },
  { max: 200, windowSeconds: 86_400 },
]
/** Attachments of one reply; people send a few. */
const MAX_ATTACHMENTS = 10

/** Too many replies at the moment: the mail server tries again later. */
export class TooManyRepliesError extends Error {}

/**
 * Posts a reply that came by mail, as the user that the address belongs to, once. The sender's address may be forged and
 * doesn't matter: the token is the credential. Throws if another attempt may succeed.
 */
export async function receiveReply(
  context: Context & { readonly log: Logger },
  reader: ReplyReader,
  { token, envelopeSender, raw }: ReceivedMail,
): Promise<ReplyOutcome> {
  const address = await findReplyAddress(context.db, token, context.now())
  const account = address && (await findAccount(context.prisma, address.realmId, address.accountId))
  if (!address || !account) return 'unknown'
  await checkLimits(context, account)
  const reply = await reader.read({
    ...{ raw, envelopeSender, own: context.mailFrom },
    replyPattern: context.replyAddresses?.pattern ?? '',
  })
  const key = keyOf(token, reply?.id ?? raw)
  if (reply === null) {
    // Reading it may have taken long.
    await claimReply(context, account, key)
    return 'unreadable'
  }
  if (reply.signOfProgram !== null) {
    const { realmId, id: userId } = account
    context.log.info(
      { realmId, userId, sign: reply.signOfProgram },
      'a reply by mail looks like that of a program',
    )
    return 'automatic'
  }
  const realm = await getRealm(context, address.realmId)
  if (address.messageId === null) {
    await claimReply(context, account, key)
    await transact(context.db, (tx) => queueMail(tx, testedReplyMail(realm, account)))
    return 'tested'
  }
  return postReply(context, { reply, realm, account, key, messageId: address.messageId })
}

async function postReply(
  context: Context,
  answer: {
    readonly reply: ReadReply
    readonly realm: RealmProjection
    readonly account: Account
    readonly key: string
    readonly messageId: number
  },
): Promise<ReplyOutcome> {
  const { reply, realm, account, key, messageId } = answer
  const { text } = localeOf(account)
  const posting = {
    ...{ realm_id: account.realmId, user_id: account.id, message_id: messageId },
    key,
  }
  // Before all that mails the user or stores something, so that nobody who has the address can cause any number of it.
  const claim = () => claimReply(context, account, key)
  const refuse = async (reason: string): Promise<ReplyOutcome> => {
    const mail = refusedReplyMail(realm, account, {
      ...{ subject: reply.subject, reason },
      // Of an empty one all of it, since what was cut may not have been a quote.
      text: reply.text || reply.uncut,
    })
    await transact(context.db, async (tx) => {
      if (await isFirstRefusal(tx, account, key, context.now())) await queueNotificationMails(tx, [mail])
    })
    return 'refused'
  }
  if (reply.text === '' && reply.attachments.length === 0) {
    await claim()
    return refuse(text('reply.empty'))
  }
  // Names stand for links, which are only there once the attachments are stored.
  const draft = reply.text || reply.attachments.map(({ name }) => name).join('\n')
  const checked = await context.call(internal.messaging.checkMailReply, { ...posting, content: draft })
  if (checked.state === 'posted') return 'repeated'
  await claim()
  if (checked.state === 'refused') return refuse(checked.reason ?? '')
  const files = await storeAttachments(context, account, reply.attachments)
  const content = assemble(reply.text, [
    ...files.links,
    ...(files.omitted.length > 0 ? [text('reply.omitted', { names: files.omitted.join(', ') })] : []),
  ])
  const posted = await context.call(internal.messaging.postMailReply, { ...posting, content })
  return posted.state === 'posted' ? 'posted' : refuse(posted.reason ?? '')
}

/** The same each time that a mail is delivered. */
const keyOf = (token: string, id: string | Buffer): string =>
  createHash('sha256').update(`${token} `).update(id).digest('hex')

/** What is counted; organizations that are deleted take theirs with them. */
const subjectOf = ({ realmId, id }: Account, what = 'mail reply'): string =>
  `${what} in realm ${realmId} for user ${id}`

/** Throws `TooManyRepliesError` if there may be no further reply now, which then needn't be read. */
async function checkLimits({ db, now }: Context, account: Account): Promise<void> {
  const requestedAt = await findMailRequests(db, subjectOf(account))
  if (secondsToNextMail(requestedAt, REPLY_LIMITS, now().getTime()) > 0) throw new TooManyRepliesError()
}

/** Counts a reply against its user's limits, once however often it is delivered. Throws `TooManyRepliesError`. */
async function claimReply({ db, now }: Context, account: Account, key: string): Promise<void> {
  const subjects = [subjectOf(account), subjectOf(account, `mail reply ${key}`)]
  await transact(db, async (tx) => {
    const requests = await lockMailRequests(tx, subjects)
    const [ofUser = [], ofReply = []] = subjects.map(
      (subject) => requests.find((each) => each.subject === subject)?.requestedAt,
    )
    if (ofReply.length > 0) return
    const at = now()
    if (secondsToNextMail(ofUser, REPLY_LIMITS, at.getTime()) > 0) throw new TooManyRepliesError()
    await addMailRequest(tx, subjects, at)
  })
}

/** Records that a reply is refused; false if it was within the last day. */
async function isFirstRefusal(tx: Tx, account: Account, key: string, at: Date): Promise<boolean> {
  const subjects = [subjectOf(account, `refused reply ${key}`)]
  const [earlier] = await lockMailRequests(tx, subjects)
  if ((earlier?.requestedAt ?? []).length > 0) return false
  await addMailRequest(tx, subjects, at)
  return true
}

/** Links of stored attachments, and names of those that the organization's limits don't allow. */
async function storeAttachments(
  { uploadToMessaging }: Context,
  { realmId, id }: Account,
  attachments: readonly MailAttachment[],
): Promise<{ readonly links: readonly string[]; readonly omitted: readonly string[] }> {
  const links: string[] = []
  const omitted = attachments.slice(MAX_ATTACHMENTS).map(({ name }) => name)
  for (const { name, contentType, content } of attachments.slice(0, MAX_ATTACHMENTS)) {
    const file = { realm_id: realmId, user_id: id, name, content_type: contentType }
    try {
      const stored = await uploadToMessaging(
        internal.messaging.uploadMailAttachment,
        file,
        Readable.from([content]),
      )
      links.push(`[${plainName(stored.filename)}](${stored.url})`)
    } catch (err) {
      const error = asAppError(err)
      // Anything else, such as an endpoint that another release doesn't have, may work later.
      if (error?.status !== 400) throw err
      omitted.push(plainName(name))
    }
  }
  return { links, omitted }
}

const plainName = (name: string): string => name.replace(/[[\]()*_`\\\p{Cc}]/gu, ' ').trim() || 'file'

/** The text with the lines below it; of a text that is too long the beginning, so that the lines are there. */
function assemble(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text
  const below = lines.join('\n')
  const space = Math.max(0, limits.maxMessageLength - [...below].length - 4)
  const characters = [...text]
  const shown = characters.length > space ? `${characters.slice(0, space).join('')}…` : text
  return shown === '' ? below : `${shown}\n\n${below}`
}
