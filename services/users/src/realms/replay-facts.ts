import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'

/** Begins to compare what is kept of organizations with what they are. Throws BAD_REQUEST, SERVICE_UNAVAILABLE. */
export const handleReplayFacts: InternalHandler<typeof internal.users.replayFacts, Context> = async (
  { from },
  { factsReplay },
) => ({ replay: await factsReplay.start(from) })

/** How far users is with others' facts. Throws SERVICE_UNAVAILABLE. */
export const handleDescribeProjections: InternalHandler<
  typeof internal.users.describeProjections,
  Context
> = (_body, { factsReplay }) => factsReplay.describe()
