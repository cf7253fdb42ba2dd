import { AppError, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'

/** Returns the end of the log and the offset of each partition. Throws SERVICE_UNAVAILABLE while the broker is unavailable. */
export const handleDescribeLog: InternalHandler<typeof internal.events.describeLog, Context> = async (
  _body,
  { logTail, store, partitionCount },
) => {
  const end = await logTail.findEnd().catch((cause: unknown) => {
    throw new AppError('SERVICE_UNAVAILABLE', { cause })
  })
  // Read after the end was found, so that a partition that keeps up has passed it or is about to.
  const numbers = Array.from({ length: partitionCount }, (_, index) => index)
  const partitions = await Promise.all(
    numbers.map(async (partition) => ({ partition, ...(await store.describe(partition)) })),
  )
  return { end, replicas: await store.listReplicas(), partitions }
}
