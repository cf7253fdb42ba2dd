import { domainEvents, type PayloadOf } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import type { SessionOwner } from '../kernel/sessions/session-store.ts'

/** Which sessions of an account end, and by which request. */
interface End {
  readonly owner: SessionOwner
  readonly ended: PayloadOf<typeof domainEvents.users.sessionsEnded>['ended']
  readonly requestId: string
}

/**
 * Publishes for the audit log which sessions end, and then ends them. They are in Redis, so one comes before the other: a process that
 * dies in between leaves an entry about sessions that go on, and never sessions that ended without one.
 */
export async function endRecorded<T>(
  { transact }: Pick<Context, 'transact'>,
  { owner: { realmId, userId }, ended, requestId }: End,
  end: () => Promise<T>,
): Promise<T> {
  const payload = { user_id: userId, ended }
  await transact((tx) => publish(tx, domainEvents.users.sessionsEnded, payload, { realmId, requestId }))
  return end()
}
