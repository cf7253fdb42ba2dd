import { internal, type MissedConversation } from '@tms/contracts'
import type { JobAttempt } from '../jobs/run-jobs.ts'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { Mail, SaidOfMissed } from '../kernel/mails/mail.ts'
import { moveReplyAddress } from '../kernel/mails/reply-address.queries.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import {
  type Addressee,
  composeHiddenMail,
  composeMissedMail,
  composeSummaryMail,
} from './compose-missed-mail.ts'
import { findHider } from './hidden-content.rules.ts'
import { addresseeOf, findObstacle } from './mail-missed-messages.ts'

/** Comparing takes milliseconds; mails that others wait for must not wait for it. */
const CALL_TIMEOUT_MS = 5_000
/** What was handed over so recently is mailed as it is: it was read right before, and most mails are sent right after. */
const FRESH_MS = 1_000

/**
 * A queued mail as it is to be sent now, which may be a day later: without messages if they may not be shown any more, and, unless
 * it was just queued, without what was read, deleted or lost meanwhile. Null if nothing of it is left, it isn't wanted any more,
 * or the account is inactive. Mails that belong to no account stay as they are.
 */
export async function renewMail(context: Context, mail: Mail, attempt: JobAttempt): Promise<Mail | null> {
  if (mail.recipient) return renewAddress(context, mail, mail.recipient)
  if (!mail.missedBy) return mail
  const { realmId, userId, said } = mail.missedBy
  const realm = await getRealm(context, realmId)
  const account = await findAccount(context.prisma, realmId, userId)
  if (account === null || findObstacle(account, realm) !== null) return null
  const hiddenBy = mail.messages ? findHider(settingsOf(account), realm) : null
  const wantsContent = mail.messages !== undefined && hiddenBy === null
  const now =
    said && !wasJustQueued(attempt) ? await compare(context, mail.missedBy, said, wantsContent) : null
  if (now?.remaining === 0) return null
  const addressee = await addresseeOf(context, account, realm)
  if (hiddenBy !== null) return composeHiddenMail(addressee, hiddenBy)
  const same = { ...mail, to: addressee.to, toName: addressee.toName }
  if (now === null) return same
  if (said?.summary && now.remaining < said.conversations.length + said.summary.further)
    return composeSummaryMail(addressee, now.remaining, said.summary.isLast)
  return now.conversation === null ? same : renewMissedMail(context, addressee, mail, now.conversation)
}

/** An earlier attempt may have taken any time. */
export const wasJustQueued = ({ isFirst, waitedMs }: JobAttempt): boolean => isFirst && waitedMs < FRESH_MS

/** How many conversations of a mail are left, and the first changed one of these as it is now. */
async function compare(
  { call }: Pick<Context, 'call'>,
  { realmId, userId }: NonNullable<Mail['missedBy']>,
  { at, conversations, summary }: SaidOfMissed,
  wantsContent: boolean,
): Promise<{ readonly remaining: number; readonly conversation: MissedConversation | null }> {
  const compared = await call(
    internal.messaging.compareMissedMessages,
    {
      ...{ realm_id: realmId, user_id: userId, described_at: at },
      ...{ conversations: [...conversations], wants_content: wantsContent },
    },
    { timeoutMs: CALL_TIMEOUT_MS },
  )
  const left = compared.conversations.filter(({ state }) => state !== 'empty')
  return {
    remaining: left.length + (summary?.further ?? 0),
    conversation: left.find(({ conversation }) => conversation !== null)?.conversation ?? null,
  }
}

/** Answers to it go to where its newest message is now: the one before may be deleted. */
async function renewMissedMail(
  { db, replyAddresses }: Pick<Context, 'db' | 'replyAddresses'>,
  addressee: Addressee,
  { replyTo }: Mail,
  conversation: MissedConversation,
): Promise<Mail> {
  const token = replyTo === undefined ? null : (replyAddresses?.tokenIn(replyTo) ?? null)
  if (token !== null && conversation.newest_message_id !== undefined)
    await moveReplyAddress(db, token, conversation.newest_message_id)
  return composeMissedMail(addressee, conversation, replyTo ?? null)
}

/** The mail with the present address of its account; null if that is inactive. */
async function renewAddress(
  context: Context,
  mail: Mail,
  { realmId, userId }: NonNullable<Mail['recipient']>,
): Promise<Mail | null> {
  const realm = await getRealm(context, realmId)
  const account = await findAccount(context.prisma, realmId, userId)
  return account?.isActive && realm.is_active
    ? { ...mail, to: account.deliveryEmail, toName: account.fullName }
    : null
}
