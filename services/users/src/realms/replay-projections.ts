import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'

/** Begins to compare what is kept of organizations with what they are. Throws BAD_REQUEST, SERVICE_UNAVAILABLE. */
export const handleReplayProjections: InternalHandler<
  typeof internal.users.replayProjections,
  Context
> = async ({ from }, { projectionReplay }) => ({ replay: await projectionReplay.start(from) })

/** How far users is with others' facts. Throws SERVICE_UNAVAILABLE. */
export const handleDescribeProjections: InternalHandler<
  typeof internal.users.describeProjections,
  Context
> = (_body, { projectionReplay }) => projectionReplay.describe()
