import { AppError } from '@tms/contracts'
import type { Call } from '../requests/call.ts'
import type { ChangedIdentities } from './follow-users.ts'
import type { Identities } from './identities.ts'

/** A poll that waits for its answer. */
export interface PendingPoll {
  readonly call: Call
  /** Answers with this error. */
  refusePendingPoll(error: AppError): void
  /** Answers with no events: its client polls again and is authenticated then. */
  endPendingPoll(): void
}

interface CheckOptions<Poll extends PendingPoll> {
  /** Answered polls are removed from it. */
  readonly pendingPolls: ReadonlySet<Poll>
  readonly identities: Pick<Identities, 'find'>
}

/**
 * Authenticates pending polls of changed users again: a poll with a replaced key is refused. Other changes are left
 * to the events service, which delivers them through these polls, and deletes the queues of deactivated users.
 */
export async function checkPendingPolls<Poll extends PendingPoll>(
  { userIds }: Pick<ChangedIdentities, 'userIds'>,
  options: CheckOptions<Poll>,
): Promise<void> {
  if (userIds.length === 0) return
  const changed = new Set(userIds)
  const affected = [...options.pendingPolls].filter(({ call }) => changed.has(call.userId ?? Number.NaN))
  await Promise.all(affected.map((poll) => authenticateAgain(poll, options)))
}

/** How many streams are authenticated again at once. */
const AT_ONCE = 50

/** Authenticates all streams again, when changes may have been missed: polls end within a minute, streams don't. */
export async function checkAllStreams<Poll extends PendingPoll>(options: CheckOptions<Poll>): Promise<void> {
  const streams = [...options.pendingPolls].filter(({ call }) => call.endpoint?.answer === 'event-stream')
  while (streams.length > 0)
    await Promise.all(streams.splice(0, AT_ONCE).map((stream) => authenticateAgain(stream, options)))
}

async function authenticateAgain<Poll extends PendingPoll>(
  poll: Poll,
  { pendingPolls, identities }: CheckOptions<Poll>,
): Promise<void> {
  const { identifiedBy } = poll.call
  if (identifiedBy === null) return
  try {
    await identities.find(identifiedBy)
  } catch (err) {
    // The call may wait in another way by now.
    const current = [...pendingPolls].find(({ call }) => call === poll.call)
    if (!(err instanceof AppError) || err.code !== 'UNAUTHORIZED') return current?.endPendingPoll()
    if (isUnknownKey(err)) current?.refusePendingPoll(err)
  }
}

function isUnknownKey({ cause }: AppError): boolean {
  return cause instanceof AppError && cause.code === 'AUTHENTICATION_FAILED'
}
