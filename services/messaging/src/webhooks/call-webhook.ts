import { type BotService, internal } from '@tms/contracts'
import { type InternalClient, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { listMessageViews, type MessageView } from '../messages/message-view.queries.ts'
import { canSeeMessage } from '../messages/message-view.rules.ts'
import { prepareNotice, storeDirectNotice } from '../messages/notices.ts'
import { presentMessages, showsHistory } from '../messages/present-messages.ts'
import { send } from '../messages/send-message.ts'
import { refusalOf } from '../scheduled-messages/scheduled-message.rules.ts'
import { type Meaning, meaningOf } from './answer.rules.ts'
import { failureText } from './failure-text.rules.ts'
import { type PostToWebhook, Unanswered } from './post-to-webhook.ts'
import { writeRequest } from './request.rules.ts'
import { postponeCall, removeCall, type WebhookCall } from './webhook-call.queries.ts'

/** Name of the client program under which replies are written. */
const CLIENT = 'OutgoingWebhookResponse'

/** What calling takes besides the context. */
export interface Calling {
  readonly call: InternalClient
  readonly post: PostToWebhook
  /** Milliseconds between a failure that may pass and the next attempt; after as many failures it is given up. */
  readonly retryDelaysMs: readonly number[]
}

/**
 * What became of a call: the bot replied, or said nothing; it failed, and is tried again or given up; or there was nothing
 * to call, or nothing to tell of, any more.
 */
export const OUTCOMES = ['replied', 'silent', 'retried', 'given_up', 'dropped'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** A call and all that it takes. */
export interface Job {
  readonly webhookCall: WebhookCall
  readonly bot: KnownUser
  readonly view: MessageView
  readonly service: BotService
}

/** Ends a transaction because another replica has ended the call. */
export class EndedElsewhere extends Error {}

/**
 * Finds what a call takes; null where there is nothing to call, or nothing to tell of, any more. Throws while a server is away
 * that must be asked.
 */
export async function prepareCall(
  context: Context,
  { call }: Calling,
  webhookCall: WebhookCall,
): Promise<Job | null> {
  const { service } = await call(internal.users.getOutgoingWebhook, { user_id: webhookCall.botId })
  if (service === null) return null
  const bot = await context.directory.getUser(webhookCall.botId)
  const view = await findSeen(context, bot, webhookCall.messageId)
  return view && { webhookCall, bot, view, service }
}

/**
 * Calls an outgoing webhook and does what its answer says. The call goes in the transaction that stores the reply, so there
 * is one whoever dies; the webhook itself may be called again. Throws `EndedElsewhere`, and where a server is away.
 */
export async function callWebhook(context: Context, calling: Calling, job: Job): Promise<Outcome> {
  const meaning = await ask(context, calling, job)
  switch (meaning.kind) {
    case 'silence':
      await removeCall(context.db, job.webhookCall.id)
      return 'silent'
    case 'reply':
      return reply(context, job, meaning.content)
    case 'fault':
      return fail(context, calling, job, meaning)
  }
}

/** The message, if it is still there and its bot may see it. */
async function findSeen(
  context: Context,
  { realm_id, user_id, role }: KnownUser,
  messageId: number,
): Promise<MessageView | null> {
  const viewer = { realmId: realm_id, userId: user_id, role }
  const texts = { html: true, raw: true, history: await showsHistory(context, viewer) }
  const [view] = await listMessageViews(context.db, viewer, [messageId], texts)
  return view && canSeeMessage(viewer, view) ? view : null
}

/** Sends the request; what the answer means, or why there is none. */
async function ask(
  context: Context,
  { post }: Calling,
  { webhookCall, bot, view, service }: Job,
): Promise<Meaning> {
  const realm = await context.directory.getRealm(webhookCall.realmId)
  const viewer = { realmId: bot.realm_id, userId: bot.user_id, role: bot.role }
  const raw = { applyMarkdown: false, clientGravatar: false }
  const [presented] = await presentMessages(context, viewer, [view], raw)
  if (!presented) throw new Error(`message ${view.id} can not be presented`)
  const { flags: _flags, ...message } = presented
  const written = writeRequest({ bot, service, realm, message, html: view.html ?? '' })
  try {
    const answer = await post({ url: service.base_url, deliveryId: webhookCall.id, ...written })
    return meaningOf(answer, service.interface)
  } catch (err) {
    if (!(err instanceof Unanswered)) throw err
    return { kind: 'fault', fault: err.message, mayPass: err.mayPass }
  }
}

/** Sends what the bot replies to where the message stands now, as if it had sent that itself. */
async function reply(context: Context, job: Job, content: string): Promise<Outcome> {
  const { webhookCall, bot, view } = job
  const place = view.channel
    ? { type: 'stream' as const, to: view.channel.id, topic: view.topic }
    : { type: 'direct' as const, to: [...(view.userIds ?? [])] }
  try {
    await send({
      context,
      sender: { userId: bot.user_id, realmId: bot.realm_id, role: bot.role },
      input: { ...place, content },
      echo: null,
      client: CLIENT,
      requestId: null,
      key: null,
      companions: [
        {
          before: async (tx) => {
            if (!(await removeCall(tx, webhookCall.id))) throw new EndedElsewhere()
          },
        },
      ],
    })
  } catch (err) {
    const reason = err instanceof EndedElsewhere ? null : refusalOf(err)
    if (reason === null) throw err
    return giveUp(context, job, `its reply was refused: ${reason}`)
  }
  context.relay.wake()
  return 'replied'
}

/** Has it called again later, where that may help; else it is given up. */
async function fail(
  context: Context,
  { retryDelaysMs }: Calling,
  job: Job,
  { fault, mayPass }: { fault: string; mayPass: boolean },
): Promise<Outcome> {
  const { id, failures } = job.webhookCall
  const delayMs = mayPass ? retryDelaysMs[failures] : undefined
  if (delayMs === undefined) return giveUp(context, job, fault)
  await postponeCall(context.db, { id, failures: failures + 1 }, delayMs)
  return 'retried'
}

/** Ends the call and tells the bot's owner why, once. */
async function giveUp(context: Context, { webhookCall, bot, view }: Job, fault: string): Promise<Outcome> {
  const { db, directory } = context
  const ownerIds = bot.bot_owner_id === null ? [] : [bot.bot_owner_id]
  const [owner] = (await directory.findUsersByIds(bot.realm_id, ownerIds)).values()
  if (!owner?.is_active) {
    await removeCall(db, webhookCall.id)
    return 'given_up'
  }
  const text = failureText({
    bot,
    messageId: view.id,
    isDirect: view.channel === null,
    reason: `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`,
    attempts: webhookCall.failures + 1,
  })
  const notice = await prepareNotice(context, webhookCall.realmId, text)
  await inTransaction(db, async (tx) => {
    // First, because it locks the place of their conversation.
    await storeDirectNotice(tx, notice, { user: owner, requestId: null })
    if (!(await removeCall(tx, webhookCall.id))) throw new EndedElsewhere()
  })
  context.relay.wake()
  return 'given_up'
}
