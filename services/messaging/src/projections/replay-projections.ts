import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'

/** Starts comparing the projections with their owners. Throws BAD_REQUEST, SERVICE_UNAVAILABLE. */
export const handleReplayProjections: InternalHandler<
  typeof internal.messaging.replayProjections,
  Context
> = async ({ from }, { projectionReplay }) => ({ replay: await projectionReplay.start(from) })

/** Describes how current the projections are. Throws SERVICE_UNAVAILABLE. */
export const handleDescribeProjections: InternalHandler<
  typeof internal.messaging.describeProjections,
  Context
> = (_body, { projectionReplay }) => projectionReplay.describe()
