import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'

/** Begins to compare what is kept of others' facts with what they are. Throws BAD_REQUEST, SERVICE_UNAVAILABLE. */
export const handleReplayProjections: InternalHandler<
  typeof internal.messaging.replayProjections,
  Context
> = async ({ from }, { projectionReplay }) => ({ replay: await projectionReplay.start(from) })

/** How far messaging is with others' facts. Throws SERVICE_UNAVAILABLE. */
export const handleDescribeProjections: InternalHandler<
  typeof internal.messaging.describeProjections,
  Context
> = (_body, { projectionReplay }) => projectionReplay.describe()
