import { badRequest } from '@tms/contracts'
import { findIntegration } from '@tms/integrations'
import { asAppError, type Logger, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findActiveOwner } from '../kernel/projections/find-active-owner.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { prepareNotice, storeDirectNotice } from '../messages/notices.ts'
import { addressOf } from './arrived-delivery.ts'
import { isNotable, MAX_FAILURES, retryDelayMs, writeBacklogNotice } from './backlog.rules.ts'
import { type DeliveryOutcome, failed, reasonOf, statusOf } from './delivery.rules.ts'
import { notifyOwner } from './notify-owner.ts'
import { postMessages } from './post-messages.ts'
import { readDelivery } from './read-delivery.ts'
import {
  beginBacklogNotice,
  clearBacklog,
  endWaiting,
  findFirstWaiting,
  type LeasedBacklog,
  postponeBacklog,
  type WaitingDelivery,
} from './webhook-backlog.queries.ts'

/**
 * Posts the delivery of a bot that has waited longest. Each of its messages has a name, so it is posted once, even if replicas
 * die or do this at once. If that fails, it is tried again later, so that the order stays. Never rejects.
 */
export async function postWaitingDelivery(
  context: Context,
  backlog: LeasedBacklog,
  log: Logger,
): Promise<void> {
  const { botId, failures } = backlog
  const startedAt = performance.now()
  try {
    const waiting = await findFirstWaiting(context.db, botId)
    if (!waiting) return await clearBacklog(context.db, botId)
    const bot = await context.projections.getUser(botId)
    if (isNotable(backlog)) await notifyOfBacklog(context, bot, backlog)
    const outcome = failures < MAX_FAILURES ? await post(context, bot, waiting, log) : GIVEN_UP
    await endWaiting(context.db, {
      ...{ id: waiting.id, botId, bytes: waiting.payload.length },
      outcome: outcome.outcome,
      status: statusOf(outcome),
      error: outcome.error && reasonOf(outcome.error),
      message_ids: [...outcome.messageIds],
      tookMs: Math.round(performance.now() - startedAt),
    })
    const integration = findIntegration(waiting.integration)
    if (integration) await notifyOwner(context, { bot, integration, outcome })
  } catch (err) {
    const delayMs = retryDelayMs(failures)
    log.warn({ err, botId, delayMs }, 'a waiting webhook delivery will be tried again')
    // If this fails too, the lease expires and it is tried again.
    await postponeBacklog(context.db, botId, { delayMs, counts: !isOutage(err) }).catch(() => {})
  }
}

/** Whether a server is unavailable: that passes, so it must not make a delivery be given up. */
const isOutage = (err: unknown): boolean => asAppError(err)?.code === 'SERVICE_UNAVAILABLE'

const GIVEN_UP = failed(badRequest('It could not be posted, at several attempts'))

async function post(
  context: Context,
  bot: KnownUser,
  waiting: WaitingDelivery,
  log: Logger,
): Promise<DeliveryOutcome> {
  const integration = findIntegration(waiting.integration)
  if (!integration) return failed(badRequest(`There is no integration '${waiting.integration}'`))
  if (!bot.is_active) return failed(badRequest('The bot is deactivated'))
  const arrived = {
    ...{ integration, body: waiting.payload, headers: waiting.headers, requestId: null, log },
    caller: { userId: bot.user_id, realmId: bot.realm_id, role: bot.role, isBot: true },
    address: addressOf(waiting.parameters),
    name: waiting.sendersId === null ? { waitingId: waiting.id } : { sendersId: waiting.sendersId },
  }
  const read = readDelivery(arrived, context.now())
  return read.messages === null ? read.outcome : postMessages(context, arrived, bot, read.messages)
}

/** Notifies the owner of a bot that deliveries wait, at most once an hour. */
async function notifyOfBacklog(context: Context, bot: KnownUser, backlog: LeasedBacklog): Promise<void> {
  const owner = await findActiveOwner(context.projections, bot)
  if (!owner) return
  const notice = await prepareNotice(context, bot.realm_id, writeBacklogNotice(bot, backlog))
  await transact(context.db, async (tx) => {
    if (await beginBacklogNotice(tx, bot.user_id))
      await storeDirectNotice(tx, notice, { user: owner, requestId: null })
  })
}
