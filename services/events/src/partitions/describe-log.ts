import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { findLogEnd } from '../log/find-log-end.ts'
import type { LogTail } from '../log/log-tail.ts'
import type { PartitionStore } from '../redis/partition-store.ts'

export interface DescribeLogContext {
  readonly logTail: Pick<LogTail, 'findEnd'>
  readonly store: Pick<PartitionStore, 'describe' | 'listReplicas'>
  readonly partitionCount: number
}

/** Returns the end of the log and the offset of each partition. Throws SERVICE_UNAVAILABLE while the broker is unavailable. */
export const handleDescribeLog: InternalHandler<
  typeof internal.events.describeLog,
  DescribeLogContext
> = async (_body, { logTail, store, partitionCount }) => {
  const end = await findLogEnd(logTail)
  // Read after the end was found, so that a partition that keeps up has passed it or is about to.
  const numbers = Array.from({ length: partitionCount }, (_, index) => index)
  const partitions = await Promise.all(
    numbers.map(async (partition) => ({ partition, ...(await store.describe(partition)) })),
  )
  return { end, replicas: await store.listReplicas(), partitions }
}
