import { AppError, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'

/** Where the log ends, and who has come how far in it. Throws SERVICE_UNAVAILABLE while the broker is away. */
export const handleDescribeLog: InternalHandler<typeof internal.events.describeLog, Context> = async (
  _body,
  { feed, store, partitionCount },
) => {
  const end = await feed.findEnd().catch((cause: unknown) => {
    throw new AppError('SERVICE_UNAVAILABLE', { cause })
  })
  // After the end was found, so that who keeps up has passed it or is about to.
  const numbers = Array.from({ length: partitionCount }, (_, index) => index)
  const partitions = await Promise.all(
    numbers.map(async (partition) => ({ partition, ...(await store.describe(partition)) })),
  )
  return { end, replicas: await store.listReplicas(), partitions }
}
