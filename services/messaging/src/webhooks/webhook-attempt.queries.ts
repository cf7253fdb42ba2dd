import type { WebhookAttempt } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** Attempts that are kept of each bot: as many as fit a page. */
const KEPT = 100

/** An attempt to store. */
export interface NewAttempt extends Omit<WebhookAttempt, 'id' | 'called_at'> {
  readonly realmId: number
  readonly botId: number
  readonly calledAt: Date
}

const COLUMNS = `
  id, webhook_call_id as webhook_id, message_id, floor(extract(epoch from called_at))::bigint as called_at, duration_ms, url,
  outcome, status, error, answer, reply_id`

/**
 * Stores an attempt to call a bot, and deletes those that are too many, unless another attempt does: those of one bot may end at once.
 */
export async function storeAttempt(db: Queryable, attempt: NewAttempt): Promise<void> {
  await db.query({
    name: 'store-webhook-attempt',
    text: `
      with superfluous as (
        delete from webhook_attempts
         where id in (select id
                        from webhook_attempts
                       where bot_id = $2
                         and id <= (select id
                                      from webhook_attempts
                                     where bot_id = $2
                                     order by id desc
                                    offset ${KEPT - 1}
                                     limit 1)
                         for update skip locked)
      )
      insert into webhook_attempts
        (realm_id, bot_id, webhook_call_id, message_id, called_at, duration_ms, url, outcome, status, error, answer, reply_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      ...[attempt.realmId, attempt.botId, attempt.webhook_id, attempt.message_id, attempt.calledAt],
      ...[attempt.duration_ms, attempt.url, attempt.outcome, attempt.status, attempt.error, attempt.answer],
      attempt.reply_id,
    ],
  })
}

/** The last attempts to call a bot, newest first. */
export async function listAttempts(db: Queryable, botId: number): Promise<WebhookAttempt[]> {
  const { rows } = await db.query<WebhookAttempt>({
    name: 'list-webhook-attempts',
    text: `select ${COLUMNS} from webhook_attempts where bot_id = $1 order by id desc limit ${KEPT}`,
    values: [botId],
  })
  return rows
}

/** Null if the bot has no such attempt, or it isn't kept any more. */
export async function findAttempt(
  db: Queryable,
  botId: number,
  attemptId: number,
): Promise<WebhookAttempt | null> {
  const { rows } = await db.query<WebhookAttempt>({
    name: 'find-webhook-attempt',
    text: `select ${COLUMNS} from webhook_attempts where bot_id = $1::bigint and id = $2::bigint`,
    values: [botId, attemptId],
  })
  return rows[0] ?? null
}
