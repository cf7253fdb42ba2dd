import { Batched, type Pool } from '@tms/service-kit'
import { type Delivery, deleteDelivery, deleteFailedDelivery, deleteUnlocked } from './delivery.queries.ts'

/** Deletes a delivery that has ended. Rejects if it couldn't, and it is sent again after its lease. */
export type EndDelivery = (delivery: Pick<Delivery, 'id' | 'deviceId' | 'failures'>) => Promise<void>

/**
 * Deletes what has ended; what ends while others are being deleted goes together by the next statement. What is locked then, or
 * fails together with others, is deleted by itself, so that it holds up and fails no others.
 */
export function createEnding(db: Pool): EndDelivery {
  let ended: string[] = []
  const deletion = new Batched(() => {
    const ids = ended
    ended = []
    return deleteUnlocked(db, ids)
  })
  return async (delivery) => {
    if (delivery.failures > 0) return deleteFailedDelivery(db, delivery)
    ended.push(delivery.id)
    const deleted = await deletion.run().catch(() => null)
    if (!deleted?.has(delivery.id)) await deleteDelivery(db, delivery.id)
  }
}
