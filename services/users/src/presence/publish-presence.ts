import { domainEvents, maxPresenceAudience } from '@tms/contracts'
import { type Caller, type Logger, publishUnsequenced } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { LastSeen } from '../kernel/presence/seen-users.ts'
import { findPresenceUser, hasAtMostUsers } from './presence.queries.ts'
import { clientPresenceOf } from './presence.rules.ts'

interface PresenceRequest {
  readonly caller: Caller
  readonly context: Context
  readonly requestId: string
  readonly log: Logger
}

/**
 * Publishes, without the outbox, that a user came online. Not in large organizations, where that would be too many
 * events: clients learn it from their own pings.
 */
export async function publishOnline(
  lastSeen: LastSeen,
  email: string,
  request: PresenceRequest,
): Promise<void> {
  const { caller, context } = request
  if (await hasAtMostUsers(context.db, caller.realmId, maxPresenceAudience)) publish(lastSeen, email, request)
}

/**
 * Applies a change of `presence_enabled` after its commit, so that others see it at once. Best effort: a hidden user
 * soon reads as offline even if it fails.
 */
export async function applyPresenceChoice(request: PresenceRequest): Promise<void> {
  const { caller, context, log, requestId } = request
  const { realmId, userId } = caller
  try {
    const account = await findPresenceUser(context.db, realmId, userId)
    if (!account) return
    const user = { id: userId, note: account.showsPresence ? 'shown' : 'hidden' } as const
    await context.presence.note(realmId, context.now(), { user, since: null })
    const lastSeen = await context.presence.find(realmId, userId)
    if (lastSeen) publish(lastSeen, account.email, request)
  } catch (err) {
    log.warn({ err, requestId }, 'change of presence setting not published')
  }
}

function publish(
  lastSeen: LastSeen,
  email: string,
  { caller, context, requestId, log }: PresenceRequest,
): void {
  const payload = {
    user_id: lastSeen.userId,
    email,
    server_timestamp: context.now().getTime() / 1000,
    presence: clientPresenceOf(lastSeen),
  }
  const cause = { realmId: caller.realmId, requestId }
  publishUnsequenced(context.publisher, domainEvents.users.presenceChanged, payload, cause).catch(
    (err: unknown) => log.debug({ err, requestId }, 'presence event not published'),
  )
}
