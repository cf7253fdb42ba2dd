import { badRequest, type internal, type MissedConversation } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { findAccountByAddress } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { addReplyAddresses } from '../kernel/mails/reply-address.queries.ts'
import { createReplyToken } from '../kernel/mails/reply-addresses.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { tryDevices } from '../pushes/try-devices.ts'
import { composeMissedMail } from './compose-missed-mail.ts'
import { listCurrentObstacles } from './current-obstacles.ts'
import { addresseeOf, countMailsLeft, findObstacle } from './mail-missed-messages.ts'

/**
 * Sends a mail like those about missed messages and notifications to devices at once, for an operator, also to users
 * who get none otherwise.
 */
export const handleMailTestNotification: InternalHandler<
  typeof internal.users.mailTestNotification,
  Context
> = async ({ realm_id: realmId, email }, context) => {
  const realm = await getRealm(context, realmId)
  const account = await findAccountByAddress(context.prisma, realmId, 'delivery e-mail', foldEmail(email))
  if (!account) throw badRequest(`Nobody has the address ${email} there`)
  const addressee = await addresseeOf(context, account, realm)
  const text = addressee.locale.text('missed.test')
  const token = createReplyToken()
  const replyAddress = context.replyAddresses?.addressOf(token) ?? null
  if (replyAddress !== null)
    await addReplyAddresses(context.db, [{ token, accountId: account.id, messageId: null }], context.now())
  const conversation: MissedConversation = {
    kind: 'channel',
    recipient_id: 0,
    channel_name: 'test',
    topic: 'notifications',
    participants: [],
    path: '/',
    trigger: 'mentioned',
    group_name: null,
    messages: [
      {
        sender_name: realm.name,
        text,
        html: `<p>${text}</p>`,
      },
    ],
    omitted_count: 0,
  }
  const mail = composeMissedMail(addressee, conversation, replyAddress)
  const obstacle = findObstacle(account, realm)
  const isLimited = (await countMailsLeft(context.db, context, account.id, context.now())) <= 0
  const current = await listCurrentObstacles(context, account, realm)
  const obstacles = [
    ...(obstacle === null ? [] : [obstacle]),
    ...(isLimited ? ['The user has had as many of these mails as a day may bring.'] : []),
    ...current.mail,
  ]
  const sent = await context.deliverMail(mail).then(
    (destination) => ({ destination, failure: null }),
    (err: unknown) => ({ destination: null, failure: err instanceof Error ? err.message : String(err) }),
  )
  const reply = { reply_address: replyAddress }
  const { pushes, push_obstacles } = await tryDevices(context, account, realm)
  return {
    ...{ user_id: account.id, ...sent, ...reply, obstacles },
    ...{ pushes, push_obstacles: [...push_obstacles, ...current.push] },
  }
}
