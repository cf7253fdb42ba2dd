import type { WebhookDelivery } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { KEPT_BYTES } from './delivery.rules.ts'

/** Deliveries that are kept of each bot: as many as fit a page, and at most 6 MB of payloads. */
export const KEPT = 100

/** A delivery to store. */
export interface NewDelivery extends Omit<WebhookDelivery, 'id' | 'received_at' | 'payload'> {
  readonly realmId: number
  readonly botId: number
  readonly receivedAt: Date
  readonly payload: Buffer
}

const COLUMNS = `
  id, integration, floor(extract(epoch from received_at))::bigint as received_at, parameters, headers,
  substring(payload for ${KEPT_BYTES}) as payload,
  is_complete and octet_length(payload) <= ${KEPT_BYTES} as is_complete, outcome, status, error, to_json(message_ids) as message_ids`

type Row = Omit<WebhookDelivery, 'payload'> & { readonly payload: Buffer }

/** A stored delivery with the bytes of its payload. */
export interface StoredDelivery {
  readonly record: WebhookDelivery
  readonly payload: Buffer
}

const storedOf = ({ payload, ...row }: Row): StoredDelivery => ({
  // The text of an incomplete payload may end within a character.
  record: { ...row, payload: payload.toString('utf8').replaceAll('\0', '\ufffd') },
  payload,
})

/** Stores a delivery, and deletes those of its bot that are too many. */
export async function storeDelivery(db: Queryable, delivery: NewDelivery): Promise<StoredDelivery> {
  const { rows } = await db.query<Row>({
    name: 'store-webhook-delivery',
    text: `
      with superfluous as (
        delete from webhook_deliveries
         where bot_id = $2
           and outcome <> 'waiting'
           and id <= (select id
                        from webhook_deliveries
                       where bot_id = $2
                         and outcome <> 'waiting'
                       order by id desc
                      offset ${KEPT - 1}
                       limit 1)
      )
      insert into webhook_deliveries
        (realm_id, bot_id, integration, received_at, parameters, headers, payload, is_complete, outcome, status, error,
         message_ids)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      returning ${COLUMNS}`,
    values: [
      ...[delivery.realmId, delivery.botId, delivery.integration, delivery.receivedAt],
      ...[JSON.stringify(delivery.parameters), JSON.stringify(delivery.headers)],
      ...[delivery.payload, delivery.is_complete, delivery.outcome, delivery.status, delivery.error],
      delivery.message_ids,
    ],
  })
  return storedOf(rows[0] as Row)
}

/** The last deliveries of a bot, newest first. */
export async function listDeliveries(db: Queryable, botId: number): Promise<WebhookDelivery[]> {
  const { rows } = await db.query<Row>({
    name: 'list-webhook-deliveries',
    text: `select ${COLUMNS} from webhook_deliveries where bot_id = $1 order by id desc limit ${KEPT}`,
    values: [botId],
  })
  return rows.map((row) => storedOf(row).record)
}

/** Null if the bot has no such delivery, or it isn't kept any more. */
export async function findDelivery(
  db: Queryable,
  botId: number,
  deliveryId: number,
): Promise<StoredDelivery | null> {
  const { rows } = await db.query<Row>({
    name: 'find-webhook-delivery',
    text: `select ${COLUMNS} from webhook_deliveries where bot_id = $1::bigint and id = $2::bigint`,
    values: [botId, deliveryId],
  })
  return rows[0] ? storedOf(rows[0]) : null
}
