import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'

/** Starts to compare the projection of organizations with realm. Throws BAD_REQUEST, SERVICE_UNAVAILABLE. */
export const handleReplayProjections: InternalHandler<
  typeof internal.users.replayProjections,
  Context
> = async ({ from }, { projectionReplay }) => ({ replay: await projectionReplay.start(from) })

/** Progress of this service's projections. Throws SERVICE_UNAVAILABLE. */
export const handleDescribeProjections: InternalHandler<
  typeof internal.users.describeProjections,
  Context
> = (_body, { projectionReplay }) => projectionReplay.describe()
