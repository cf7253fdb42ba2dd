import type { internal, MissedConversation, MissedMessages, RealmProjection } from '@tms/contracts'
import { type InternalHandler, type Tx, transact } from '@tms/service-kit'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { queueNotificationMails } from '../kernel/jobs/queue-mail.ts'
import { localeOf } from '../kernel/languages/locale.ts'
import type { Mail, SaidOfMissed } from '../kernel/mails/mail.ts'
import { addReplyAddresses } from '../kernel/mails/reply-address.queries.ts'
import { createReplyToken } from '../kernel/mails/reply-addresses.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import {
  type Addressee,
  composeHiddenMail,
  composeMissedMail,
  composeSummaryMail,
} from './compose-missed-mail.ts'
import { planMails } from './day-limit.rules.ts'
import { claimBatch, countBatchMails, countMailsOfDay, hasSeveralAccounts } from './hand-over.queries.ts'
import { findHider } from './hidden-content.rules.ts'

/** Values of `realm_name_in_email_notifications_policy`. */
const NAMES_REALM = { ifSeveral: 1, always: 2 } as const

/**
 * Queues the mails of a batch, once, if the user still wants them. The account's own settings decide, as of now.
 * Throws BAD_REQUEST for an unknown organization.
 */
export const handleMailMissedMessages: InternalHandler<
  typeof internal.users.mailMissedMessages,
  Context
> = async (batch, context) => {
  const { batch_id: batchId, realm_id: realmId, user_id: userId } = batch
  const realm = await getRealm(context, realmId)
  const account = await findAccount(context.prisma, realmId, userId)
  const addressee =
    account && findObstacle(account, realm) === null ? await addresseeOf(context, account, realm) : null
  return transact(context.db, async (tx) => {
    const at = context.now()
    if (!(await claimBatch(tx, { batchId, realmId, userId, at }))) return { outcome: 'repeated' }
    if (account === null || addressee === null) return { outcome: 'unwanted' }
    const mails = await composeWithinLimit(tx, context, { batch, account, realm, addressee, at })
    if (mails.length === 0) return { outcome: 'limited' }
    await countBatchMails(tx, batchId, mails.length)
    await queueNotificationMails(
      tx,
      mails.map(({ mail, said }) => ({ ...mail, missedBy: { realmId, userId, ...(said && { said }) } })),
    )
    return { outcome: 'queued' }
  })
}

/** Why an account gets no mails about missed messages; null if it gets them. */
export function findObstacle(account: Account, realm: Pick<RealmProjection, 'is_active'>): string | null {
  if (!realm.is_active) return 'The organization is deactivated.'
  if (!account.isActive) return 'The account is deactivated.'
  if (account.isBot) return 'The account is a bot.'
  return settingsOf(account)['enable_offline_email_notifications'] === true
    ? null
    : 'The user has turned these mails off (enable_offline_email_notifications).'
}

/** Address and subject of mails to an account. */
export async function addresseeOf(
  { db, unsubscribeLinks }: Pick<Context, 'db' | 'unsubscribeLinks'>,
  account: Account,
  realm: RealmProjection,
): Promise<Addressee> {
  const policy = settingsOf(account)['realm_name_in_email_notifications_policy']
  return {
    to: account.deliveryEmail,
    toName: account.fullName,
    locale: localeOf(account),
    realm,
    namesRealm:
      policy === NAMES_REALM.always ||
      (policy === NAMES_REALM.ifSeveral && (await hasSeveralAccounts(db, foldEmail(account.deliveryEmail)))),
    unsubscribeUrl: unsubscribeLinks.urlOf(realm.url, 'missed_messages', account.id),
  }
}

/** How many mails about missed messages a user may still get today. */
export async function countMailsLeft(
  tx: Pick<Tx, 'query'>,
  { missedMessageMailsPerDay: max }: Pick<Context, 'missedMessageMailsPerDay'>,
  userId: number,
  now: Date,
): Promise<number> {
  return max === 0 ? Number.POSITIVE_INFINITY : max - (await countMailsOfDay(tx, userId, now))
}

async function composeWithinLimit(
  tx: Tx,
  context: Context,
  mailing: {
    readonly batch: MissedMessages
    readonly account: Account
    readonly realm: RealmProjection
    readonly addressee: Addressee
    readonly at: Date
  },
): Promise<{ mail: Mail; said: SaidOfMissed | null }[]> {
  const { batch, account, realm, addressee, at } = mailing
  const left = await countMailsLeft(tx, context, account.id, at)
  const hiddenBy = findHider(settingsOf(account), realm)
  const { conversations, further_count: further } = batch
  if (hiddenBy !== null)
    return left > 0
      ? [{ mail: composeHiddenMail(addressee, hiddenBy), said: saidOf(batch, conversations) }]
      : []
  const plan = planMails({ conversations: conversations.length, further }, left)
  const mailed = conversations.slice(0, plan.mailed).map((conversation) => {
    const messageId = context.replyAddresses && conversation.newest_message_id
    return { conversation, answered: messageId ? { messageId, token: createReplyToken() } : null }
  })
  await addReplyAddresses(
    tx,
    mailed.flatMap(({ answered }) => (answered ? [{ ...answered, accountId: account.id }] : [])),
    at,
  )
  const { summedUp, isLast } = plan
  const summary = { further, isLast }
  return [
    ...mailed.map(({ conversation, answered }) => ({
      mail: composeMissedMail(
        addressee,
        conversation,
        answered && (context.replyAddresses?.addressOf(answered.token) ?? null),
      ),
      said: saidOf(batch, [conversation]),
    })),
    ...(summedUp > 0
      ? [
          {
            mail: composeSummaryMail(addressee, summedUp, isLast),
            said: saidOf(batch, conversations.slice(plan.mailed), summary),
          },
        ]
      : []),
  ]
}

/** What a mail says of these conversations; null if a release before didn't say by what to compare them. */
function saidOf(
  { described_at: at }: MissedMessages,
  conversations: readonly MissedConversation[],
  summary?: SaidOfMissed['summary'],
): SaidOfMissed | null {
  const compared = conversations.flatMap(({ references, context_ids = [], older_count = 0 }) =>
    references ? [{ references, context_ids, older_count }] : [],
  )
  if (at === undefined || compared.length < conversations.length) return null
  return { at, conversations: compared, ...(summary && { summary }) }
}
