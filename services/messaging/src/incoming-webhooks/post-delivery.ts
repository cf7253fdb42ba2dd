import { AppError } from '@tms/contracts'
import { type AnyIntegration, type IntegrationMessage, PayloadError, receive } from '@tms/integrations'
import { type Caller, type Logger, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findActiveOwner } from '../kernel/projections/find-active-owner.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { prepareNotice, storeDirectNotice } from '../messages/notices.ts'
import { permanentErrorText } from '../messages/permanent-error.rules.ts'
import { sendOnce } from '../messages/send-message.ts'
import type { SendInput } from '../messages/send-request.ts'
import { channelReferenceOf } from './channel-reference.ts'
import {
  errorOf,
  idempotencyKeyOf,
  KEPT_BYTES,
  keptHeaders,
  reasonOf,
  refusalOf,
  writeFailureNotice,
} from './delivery.rules.ts'
import { beginFailureNotice, type StoredDelivery, storeDelivery } from './webhook-delivery.queries.ts'

/** What arrived at the address of an integration, or arrives again. */
export interface ArrivedDelivery {
  readonly integration: AnyIntegration
  readonly caller: Caller
  readonly address: AddressParameters
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  /** Null if it is posted again on purpose. */
  readonly deliveryId: string | null
  readonly requestId: string
  readonly log: Logger
}

/** What an address says beside the key. */
export interface AddressParameters {
  readonly stream: string | null
  readonly topic: string | null
  readonly onlyEvents: readonly string[] | null
  readonly excludeEvents: readonly string[] | null
  readonly secret: string | null
  readonly others: Readonly<Record<string, string>>
}

/** What came of a delivery; `error` is what its sender gets. */
export interface PostedDelivery {
  readonly bot: KnownUser
  readonly stored: StoredDelivery
  readonly error: AppError | null
  /** The event, if the integration doesn't know it. */
  readonly unsupported: string | null
}

interface Outcome {
  readonly outcome: StoredDelivery['record']['outcome']
  readonly error: AppError | null
  /** Whether the sender gets a success all the same: it can't help it, and may turn itself off after failures. */
  readonly isNoFault: boolean
  readonly unsupported: string | null
  readonly messageIds: readonly number[]
}

/**
 * Makes messages of what arrived, sends them as the bot, and stores the delivery with what came of it. Notifies the
 * bot's owner of a failure, at most once a minute. Throws if a server is unavailable: then the sender should try again.
 */
export async function postDelivery(context: Context, arrived: ArrivedDelivery): Promise<PostedDelivery> {
  const { integration, caller, address, headers, body } = arrived
  const bot = await context.projections.getUser(caller.userId)
  const result = await post(context, arrived, bot)
  const stored = await storeDelivery(context.db, {
    ...{ realmId: caller.realmId, botId: caller.userId, receivedAt: context.now() },
    integration: integration.name,
    parameters: parametersOf(address),
    headers: keptHeaders(headers),
    payload: body.subarray(0, KEPT_BYTES),
    is_complete: body.length <= KEPT_BYTES,
    outcome: result.outcome,
    status: result.error === null || result.isNoFault ? 200 : result.error.status,
    error: result.error && reasonOf(result.error),
    message_ids: [...result.messageIds],
  })
  if (result.error !== null)
    await notifyOwner(context, { bot, displayName: integration.displayName, reason: reasonOf(result.error) })
  return { bot, stored, error: result.isNoFault ? null : result.error, unsupported: result.unsupported }
}

async function post(context: Context, arrived: ArrivedDelivery, bot: KnownUser): Promise<Outcome> {
  const { integration, address, headers, body, log } = arrived
  const failed = (error: AppError, isNoFault = false): Outcome => ({
    ...{ outcome: 'failed', error, isNoFault, unsupported: null, messageIds: [] },
  })
  let received: ReturnType<typeof receive>
  try {
    received = receive(integration, {
      ...{ body, headers, hasTopic: address.topic !== null, secret: address.secret, now: context.now() },
      filter: address,
      query: address.others,
    })
  } catch (err) {
    if (err instanceof PayloadError) return failed(errorOf(err, integration.name))
    // A defect of the integration, which must not make the sender give up or repeat for ever.
    log.error({ err, integration: integration.name }, 'integration failed')
    return failed(new AppError('ANOMALOUS_WEBHOOK_PAYLOAD', { details: { webhook_name: integration.name } }))
  }
  const refusal = refusalOf(received)
  if (refusal) return failed(refusal)
  if (received.kind === 'unsupported')
    return {
      ...{ outcome: 'unsupported', error: null, isNoFault: false, messageIds: [] },
      unsupported: received.event,
    }
  const messages = received.kind === 'messages' ? received.messages : []
  const messageIds: number[] = []
  for (const [index, message] of messages.entries()) {
    try {
      messageIds.push(await send(context, arrived, bot, message, index))
    } catch (err) {
      if (permanentErrorText(err) === null || !(err instanceof AppError)) throw err
      return { ...failed(err, err.code === 'STREAM_DOES_NOT_EXIST'), messageIds }
    }
  }
  const outcome = messageIds.length === 0 ? 'filtered' : 'posted'
  return { ...{ outcome, error: null, isNoFault: false, unsupported: null }, messageIds }
}

/** Sends one message, to the channel of the address or to the bot's owner. Returns its ID. */
async function send(
  context: Context,
  { integration, caller, address, deliveryId, requestId }: ArrivedDelivery,
  bot: KnownUser,
  message: IntegrationMessage,
  index: number,
): Promise<number> {
  const { id } = await sendOnce(context, {
    sender: caller,
    input: { ...targetOf(address, bot, message), content: message.content },
    echo: null,
    client: `${integration.displayName.replace(/\W/g, '')}Webhook`,
    requestId,
    idempotencyKey: idempotencyKeyOf({ integration: integration.name, deliveryId }, index),
    hook: null,
  })
  return id
}

function targetOf(
  { stream, topic }: AddressParameters,
  bot: KnownUser,
  message: IntegrationMessage,
): Pick<SendInput, 'type' | 'to' | 'topic'> {
  if (message.channel !== undefined || stream !== null) {
    const to = message.channel ?? channelOf(stream ?? '')
    return { type: 'channel', to, topic: topic ?? message.topic }
  }
  if (bot.bot_owner_id === null)
    throw new AppError('REQUEST_VARIABLE_MISSING', {
      message: "Missing 'stream' argument: the account has no owner to write to",
      details: { var_name: 'stream' },
    })
  return { type: 'direct', to: [bot.bot_owner_id] }
}

function channelOf(stream: string): string | number {
  const reference = channelReferenceOf(stream)
  return 'id' in reference ? reference.id : reference.name
}

/** Notifies the owner of a bot of a failure. */
async function notifyOwner(
  context: Context,
  failed: { readonly bot: KnownUser; readonly displayName: string; readonly reason: string },
): Promise<void> {
  const { bot } = failed
  const owner = await findActiveOwner(context.projections, bot)
  if (!owner) return
  const notice = await prepareNotice(context, bot.realm_id, writeFailureNotice(failed))
  await transact(context.db, async (tx) => {
    if (await beginFailureNotice(tx, { realmId: bot.realm_id, botId: bot.user_id }))
      await storeDirectNotice(tx, notice, { user: owner, requestId: null })
  })
}

/** The parameters of an address as they are kept. */
function parametersOf({
  stream,
  topic,
  onlyEvents,
  excludeEvents,
  others,
}: AddressParameters): Record<string, string> {
  return {
    ...(stream === null ? {} : { stream }),
    ...(topic === null ? {} : { topic }),
    ...(onlyEvents === null ? {} : { only_events: JSON.stringify(onlyEvents) }),
    ...(excludeEvents === null ? {} : { exclude_events: JSON.stringify(excludeEvents) }),
    ...others,
  }
}

/** The address of kept parameters; signatures aren't checked again. */
export function addressOf(parameters: Readonly<Record<string, string>>): AddressParameters {
  const { stream = null, topic = null, only_events: only, exclude_events: exclude, ...others } = parameters
  const listOf = (text: string | undefined) => (text === undefined ? null : (JSON.parse(text) as string[]))
  return { stream, topic, onlyEvents: listOf(only), excludeEvents: listOf(exclude), secret: null, others }
}
