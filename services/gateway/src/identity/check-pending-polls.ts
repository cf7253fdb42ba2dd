import { AppError } from '@tms/contracts'
import type { Call } from '../requests/call.ts'
import { type ClientAddressing, clientHostOf, clientIpOf } from '../requests/client-address.rules.ts'
import type { Changed } from './follow-users.ts'
import type { Identities } from './identities.ts'

/** A poll that waits for its answer. */
interface PendingPoll {
  readonly call: Call
  /** Answers with this error. */
  refusePendingPoll(error: AppError): void
  /** Answers with no events: its client polls again, and is judged then. */
  endPendingPoll(): void
}

interface JudgeOptions<Poll extends PendingPoll> {
  /** Those that are answered are no longer in it. */
  readonly pendingPolls: ReadonlySet<Poll>
  readonly identities: Pick<Identities, 'find'>
  readonly addressing: ClientAddressing
}

/**
 * Judges anew who holds polls, of users of whom something else is true now: one whose key was replaced gets nothing more.
 * Other changes are left to the events service, which tells them through these very polls, and ends the queues of who was
 * deactivated.
 */
export async function checkPendingPolls<Poll extends PendingPoll>(
  { userIds }: Pick<Changed, 'userIds'>,
  options: JudgeOptions<Poll>,
): Promise<void> {
  if (userIds.length === 0) return
  const changed = new Set(userIds)
  const concerned = [...options.pendingPolls].filter(({ call }) => changed.has(call.userId ?? Number.NaN))
  await Promise.all(concerned.map((poll) => judge(poll, options)))
}

async function judge<Poll extends PendingPoll>(
  poll: Poll,
  { pendingPolls, identities, addressing }: JudgeOptions<Poll>,
): Promise<void> {
  const { request, requestId } = poll.call
  try {
    await identities.find({
      authorization: request.headers.authorization,
      host: clientHostOf(request, addressing),
      clientIp: clientIpOf(request, addressing),
      requestId,
    })
  } catch (err) {
    if (!pendingPolls.has(poll)) return
    if (!(err instanceof AppError) || err.code !== 'UNAUTHORIZED') return poll.endPendingPoll()
    if (isNobodysKey(err)) poll.refusePendingPoll(err)
  }
}

function isNobodysKey({ cause }: AppError): boolean {
  return cause instanceof AppError && cause.code === 'AUTHENTICATION_FAILED'
}
