import { domainEvents, type PayloadOf } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import type { SessionOwner } from '../kernel/sessions/session-store.ts'

/** Publishes for the audit log which sessions of an account ended. */
export function recordSessionsEnd(
  { transact }: Pick<Context, 'transact'>,
  { realmId, userId }: SessionOwner,
  ended: PayloadOf<typeof domainEvents.users.sessionsEnded>['ended'],
  requestId: string,
): Promise<void> {
  const payload = { user_id: userId, ended }
  return transact((tx) => publish(tx, domainEvents.users.sessionsEnded, payload, { realmId, requestId }))
}
