import type { endpoints, RealmProjection } from '@tms/contracts'
import { deadLinkPage, type Handler, html, type PageAnswer, pageOf } from '@tms/service-kit'
import { composeLoginMailsOffMail } from '../credentials/login-mail.ts'
import { type Account, findAccount, lockAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import {
  isUnsubscribable,
  type UnsubscribableMail,
  type UnsubscribeLinks,
  unsubscribable,
} from '../kernel/mails/unsubscribe-links.ts'
import { changeSettings } from '../settings/change-settings.ts'
import { changesOf } from '../settings/setting-changes.rules.ts'
import { realmOf } from './page-request.ts'

/** What a link turns off, as the page calls it. */
const names: Record<UnsubscribableMail, string> = {
  missed_messages: 'mails about messages that you missed',
  digest: 'digests of what you missed',
  login: 'mails about new sign-ins',
  marketing: 'announcements',
}

/**
 * Asks before anything is turned off: programs that check mails open their links. It has the account's name, as mails do, and not its
 * address: links are passed on with mails, and outlive a change of the address.
 */
export const handleShowUnsubscribePage: Handler<typeof endpoints.users.showUnsubscribePage, Context> = async (
  request,
) => {
  const realm = await realmOf(request)
  if (request.input.type === WELCOME) return nothingToTurnOff(realm)
  const link = await findLink(request.context, realm, request.input)
  if (link === null) return deadLink(realm)
  return pageOf(realm, {
    title: `No more ${names[link.type]}?`,
    body: html`<p>After that <strong>${link.account.fullName}</strong> gets no more ${names[link.type]} from ${realm.name}. Nothing has been changed yet.</p><form method="post"><button>Unsubscribe</button></form>`,
  })
}

/** Turns the mails off; mail programs and the page ask for it. */
export const handleSubmitUnsubscribePage: Handler<
  typeof endpoints.users.submitUnsubscribePage,
  Context
> = async (request) => {
  const { context, requestId } = request
  const realm = await realmOf(request)
  if (request.input.type === WELCOME) return nothingToTurnOff(realm)
  const link = await findLink(context, realm, request.input)
  if (link === null) return deadLink(realm)
  await context.transact(async (tx) => {
    const account = await lockAccount(tx, realm.realm_id, link.account.id)
    const changes = account ? changesOf(account, { [unsubscribable[link.type]]: false }) : []
    if (!account || changes.length === 0) return
    await changeSettings(tx, account, changes, requestId)
    if (link.type === 'login') await queueMail(tx, composeLoginMailsOffMail(account, realm))
  })
  return pageOf(realm, {
    title: 'You are unsubscribed',
    body: html`<p class="done" role="status"><strong>${link.account.fullName}</strong> gets no more ${names[link.type]}.</p><p>You can turn them on again in your settings.</p>`,
  })
}

/** Mails for new accounts, in clients and imported organizations that know several of them. */
const WELCOME = 'welcome'

const nothingToTurnOff = (realm: RealmProjection): PageAnswer =>
  pageOf(realm, {
    title: 'There is nothing to unsubscribe from',
    body: html`<p>A new account in ${realm.name} gets one mail that welcomes it, and no more.</p><p>You can turn other mails off in your settings.</p>`,
  })

const deadLink = (realm: RealmProjection): PageAnswer =>
  deadLinkPage(realm, 'You can turn mails off in your settings.')

async function findLink(
  {
    prisma,
    unsubscribeLinks,
  }: { readonly prisma: Context['prisma']; readonly unsubscribeLinks: UnsubscribeLinks },
  realm: RealmProjection,
  { type, key }: { readonly type: string; readonly key: string },
): Promise<{ readonly type: UnsubscribableMail; readonly account: Account } | null> {
  const userId = isUnsubscribable(type) ? unsubscribeLinks.userIdOf(type, key) : null
  const account = userId === null ? null : await findAccount(prisma, realm.realm_id, userId)
  return account && isUnsubscribable(type) ? { type, account } : null
}
