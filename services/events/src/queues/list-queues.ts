import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from './context.ts'

/** Lists the live queues of all partitions, regardless of their owners, with their numbers of unacknowledged events. */
export const handleListQueues: InternalHandler<typeof internal.events.listQueues, Context> = async (
  { realm_id, user_id },
  { store, partitionCount, partitionOf },
) => {
  const partitions =
    user_id === undefined
      ? Array.from({ length: partitionCount }, (_, index) => index)
      : [partitionOf(user_id)]
  const found = await Promise.all(
    partitions.map(async (partition) => {
      const statuses = await store.listQueueStatuses(partition)
      return statuses
        .filter(({ record }) => realm_id === undefined || record.realm_id === realm_id)
        .filter(({ record }) => user_id === undefined || record.user_id === user_id)
        .map(({ record, waiting, acknowledged, endsAt }) => ({
          queue_id: record.queue_id,
          realm_id: record.realm_id,
          user_id: record.user_id,
          partition,
          event_types: record.event_types,
          waiting,
          acknowledged,
          ends_at: endsAt,
        }))
    }),
  )
  const queues = found.flat()
  return { queues: queues.sort((a, b) => a.realm_id - b.realm_id || a.user_id - b.user_id) }
}
