import { type BotService, internal } from '@tms/contracts'
import { type InternalClient, type Queryable, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { MessageView } from '../kernel/messages/message-view.queries.ts'
import { findVisibleMessage } from '../kernel/messages/visible-message.ts'
import { findActiveOwner } from '../kernel/projections/find-active-owner.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { prepareNotice, storeDirectNotice } from '../messages/notices.ts'
import { permanentErrorText } from '../messages/permanent-error.rules.ts'
import { presentMessages, showsHistory } from '../messages/present-messages.ts'
import { sendMessage } from '../messages/send-message.ts'
import { parseAnswer, type WebhookAnswerMeaning } from './answer.rules.ts'
import { writeFailureNotice } from './failure-notice.rules.ts'
import { type PostToWebhook, type WebhookAnswer, WebhookCallError } from './post-to-webhook.ts'
import { renderRequest } from './request.rules.ts'
import { signatureHeaders } from './signature.rules.ts'
import { getSecret } from './signing-secret.ts'
import { type NewAttempt, storeAttempt } from './webhook-attempt.queries.ts'
import { postponeCall, removeCall, type WebhookCall } from './webhook-call.queries.ts'

/** Client name of messages that are replies. */
const CLIENT = 'OutgoingWebhookResponse'
/** Of an answer that can't be used: enough for the message of an error. */
const KEPT_CHARACTERS = 2_048

/** What a call needs besides the context. */
export interface CallOptions {
  readonly call: InternalClient
  readonly post: PostToWebhook
  /** Milliseconds between a transient failure and the next attempt; after as many failures the call is given up. */
  readonly retryDelaysMs: readonly number[]
}

/**
 * Outcome of a call: the bot replied, or had no reply; it failed and is retried or given up; or the webhook or the
 * message no longer exists.
 */
export const OUTCOMES = ['replied', 'silent', 'retried', 'given_up', 'dropped'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** A call with everything that it needs. */
export interface PreparedCall {
  readonly webhookCall: WebhookCall
  readonly bot: KnownUser
  readonly view: MessageView
  readonly service: BotService
}

/** What came of the request of one attempt. */
interface Attempt {
  readonly meaning: WebhookAnswerMeaning
  readonly calledAt: Date
  readonly durationMs: number
  /** Null if there was none. */
  readonly answer: WebhookAnswer | null
}

/** Aborts a transaction because another replica has ended the call. */
export class CallEndedError extends Error {}

/**
 * Loads what a call needs; null if the webhook or the message no longer exists. Throws if a service that must answer
 * is unavailable.
 */
export async function prepareCall(
  context: Context,
  { call }: CallOptions,
  webhookCall: WebhookCall,
): Promise<PreparedCall | null> {
  const { service } = await call(internal.users.getOutgoingWebhook, { user_id: webhookCall.botId })
  if (service === null) return null
  const bot = await context.projections.getUser(webhookCall.botId)
  const view = await findCalledMessage(context, bot, webhookCall.messageId)
  return view && { webhookCall, bot, view, service }
}

/**
 * Calls an outgoing webhook and acts on its answer. The call is deleted in the transaction that stores the reply, so
 * there is one reply even if a replica dies; the webhook itself may be called again. Throws `CallEndedError`, and if a
 * service is unavailable.
 */
export async function callWebhook(
  context: Context,
  options: CallOptions,
  prepared: PreparedCall,
): Promise<Outcome> {
  const attempt = await requestAnswer(context, options, prepared)
  const { meaning } = attempt
  switch (meaning.kind) {
    case 'no_reply':
      await recordAttempt(context.db, prepared, attempt, { outcome: 'silent' })
      await removeCall(context.db, prepared.webhookCall.id)
      return 'silent'
    case 'reply':
      return reply(context, prepared, attempt, meaning)
    case 'fault':
      return fail(context, options, prepared, attempt, meaning)
  }
}

/** The message, if it still exists and the bot may see it. */
export async function findCalledMessage(
  context: Context,
  { realm_id, user_id, role }: KnownUser,
  messageId: number,
): Promise<MessageView | null> {
  const viewer = { realmId: realm_id, userId: user_id, role }
  const texts = { html: true, raw: true, history: await showsHistory(context, viewer) }
  return findVisibleMessage(context.db, viewer, messageId, { texts })
}

/** Sends the request and returns what the answer means, or why there is none. */
async function requestAnswer(
  context: Context,
  { post }: CallOptions,
  { webhookCall, bot, view, service }: PreparedCall,
): Promise<Attempt> {
  const realm = await context.projections.getRealm(webhookCall.realmId)
  const viewer = { realmId: bot.realm_id, userId: bot.user_id, role: bot.role }
  const raw = { applyMarkdown: false, clientGravatar: false, knowsEmptyTopics: false }
  const [presented] = await presentMessages(context, viewer, [view], raw)
  if (!presented) throw new Error(`message ${view.id} cannot be presented`)
  const { flags: _flags, ...message } = presented
  const requestBody = renderRequest({ bot, service, realm, message, html: view.html ?? '' })
  const signed = { id: webhookCall.id, now: context.now(), body: requestBody.body }
  const headers = {
    'idempotency-key': webhookCall.id,
    ...signatureHeaders({ ...signed, secret: await getSecret(context, bot) }),
  }
  const startedAt = performance.now()
  const timing = () => ({ calledAt: signed.now, durationMs: Math.round(performance.now() - startedAt) })
  try {
    const answer = await post({ url: service.base_url, headers, ...requestBody })
    return { ...timing(), answer, meaning: parseAnswer(answer, service.interface) }
  } catch (err) {
    if (!(err instanceof WebhookCallError)) throw err
    const meaning = { kind: 'fault' as const, fault: err.message, isTransient: err.isTransient }
    return { ...timing(), answer: null, meaning }
  }
}

/**
 * Adds an attempt to the list that the bot's owner sees. Before the call is deleted or in the same transaction: a call that is
 * repeated since this replica dies is one that was made twice.
 */
async function recordAttempt(
  db: Queryable,
  { webhookCall, service }: PreparedCall,
  { calledAt, durationMs, answer }: Attempt,
  result: Pick<NewAttempt, 'outcome'> & { readonly error?: string; readonly replyId?: number },
): Promise<void> {
  const { outcome, error = null, replyId = null } = result
  const unused = error === null || answer === null ? null : answer.body.slice(0, KEPT_CHARACTERS)
  await storeAttempt(db, {
    ...{ realmId: webhookCall.realmId, botId: webhookCall.botId, calledAt, url: service.base_url },
    ...{
      webhook_id: webhookCall.id,
      message_id: webhookCall.messageId,
      duration_ms: durationMs,
      outcome,
      error,
    },
    status: answer && answer.status,
    answer: unused && storable(unused),
    reply_id: replyId,
  })
}

/** A text without what PostgreSQL can't store. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** Posts the bot's reply to the message's current channel and topic, or conversation, as if the bot had sent it. */
async function reply(
  context: Context,
  prepared: PreparedCall,
  attempt: Attempt,
  { content, widget }: Extract<WebhookAnswerMeaning, { kind: 'reply' }>,
): Promise<Outcome> {
  const { webhookCall, bot, view } = prepared
  const target = view.channel
    ? { type: 'stream' as const, to: view.channel.id, topic: view.topic }
    : { type: 'direct' as const, to: [...(view.userIds ?? [])] }
  try {
    await sendMessage(context, {
      sender: { userId: bot.user_id, realmId: bot.realm_id, role: bot.role },
      input: { ...target, content, ...(widget && { widget_content: widget }) },
      echo: null,
      client: CLIENT,
      requestId: null,
      idempotencyKey: null,
      hook: {
        beforeStore: async (tx) => {
          if (!(await removeCall(tx, webhookCall.id))) throw new CallEndedError()
        },
        afterStore: (tx, replyId) => recordAttempt(tx, prepared, attempt, { outcome: 'replied', replyId }),
      },
    })
  } catch (err) {
    const reason = err instanceof CallEndedError ? null : permanentErrorText(err)
    if (reason === null) throw err
    return giveUp(context, prepared, attempt, `its reply was refused: ${reason}`)
  }
  return 'replied'
}

/** Schedules another attempt if that may help; otherwise gives the call up. */
async function fail(
  context: Context,
  { retryDelaysMs }: CallOptions,
  prepared: PreparedCall,
  attempt: Attempt,
  { fault, isTransient }: Extract<WebhookAnswerMeaning, { kind: 'fault' }>,
): Promise<Outcome> {
  const { id, failures } = prepared.webhookCall
  const delayMs = isTransient ? retryDelaysMs[failures] : undefined
  if (delayMs === undefined) return giveUp(context, prepared, attempt, fault)
  await recordAttempt(context.db, prepared, attempt, { outcome: 'retried', error: sentence(fault) })
  await postponeCall(context.db, { id, failures: failures + 1 }, delayMs)
  return 'retried'
}

/** Ends the call and notifies the bot's owner why, once. */
async function giveUp(
  context: Context,
  prepared: PreparedCall,
  attempt: Attempt,
  fault: string,
): Promise<Outcome> {
  const { db, projections } = context
  const { webhookCall, bot, view } = prepared
  const reason = sentence(fault)
  const owner = await findActiveOwner(projections, bot)
  if (!owner) {
    await recordAttempt(db, prepared, attempt, { outcome: 'given_up', error: reason })
    await removeCall(db, webhookCall.id)
    return 'given_up'
  }
  const text = writeFailureNotice({
    bot,
    messageId: view.id,
    isDirect: view.channel === null,
    reason,
    attempts: webhookCall.failures + 1,
  })
  const notice = await prepareNotice(context, webhookCall.realmId, text)
  await transact(db, async (tx) => {
    // First, because it locks the conversation.
    await storeDirectNotice(tx, notice, { user: owner, requestId: null })
    if (!(await removeCall(tx, webhookCall.id))) throw new CallEndedError()
    await recordAttempt(tx, prepared, attempt, { outcome: 'given_up', error: reason })
  })
  return 'given_up'
}

const sentence = (fault: string): string => `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
