import { Batched, type Logger, type Pool } from '@tms/service-kit'
import {
  type Delivery,
  deleteDelivery,
  deleteFailedDelivery,
  deleteUnlockedDeliveries,
} from './delivery.queries.ts'

/** Deletes a finished delivery. If it rejects, the delivery is sent again after its lease. */
export type DeleteFinished = (delivery: Pick<Delivery, 'id' | 'deviceId' | 'failures'>) => Promise<void>

/**
 * Deletes finished deliveries in batches: what finishes while others are being deleted goes together by the next statement. A row
 * that is locked, or whose batch fails, is deleted by a statement of its own, so that it delays and fails no others.
 */
export function createDeliveryDeleter(db: Pool, log: Logger): DeleteFinished {
  let finished: string[] = []
  const deletion = new Batched(async () => {
    const ids = finished
    finished = []
    try {
      return await deleteUnlockedDeliveries(db, ids)
    } catch (err) {
      log.warn({ err, deliveries: ids.length }, 'finished push deliveries are deleted one by one')
      return new Set()
    }
  })
  return async (delivery) => {
    if (delivery.failures > 0) return deleteFailedDelivery(db, delivery)
    finished.push(delivery.id)
    if (!(await deletion.run()).has(delivery.id)) await deleteDelivery(db, delivery.id)
  }
}
