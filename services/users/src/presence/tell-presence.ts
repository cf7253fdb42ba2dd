import { domainEvents, maxPresenceAudience } from '@tms/contracts'
import { type Caller, type Logger, publishUnsequenced } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findPinger, hasAtMostPeople } from './presence.queries.ts'
import { clientPresenceOf, type Seen } from './presence.rules.ts'

interface Telling {
  readonly caller: Caller
  readonly context: Context
  readonly requestId: string
  readonly log: Logger
}

/**
 * Tells everyone, past the outbox, that someone came online; in large organizations clients learn it by their own
 * pings, since all would hear of all.
 */
export async function tellOnline(seen: Seen, email: string, telling: Telling): Promise<void> {
  const { caller, context } = telling
  if (await hasAtMostPeople(context.db, caller.realmId, maxPresenceAudience)) publish(seen, email, telling)
}

/**
 * What follows once the caller's choice to show presence, or not to, is committed: all see it at once. Best effort:
 * whoever is hidden reads as offline soon even if it fails.
 */
export async function showPresenceChoice(telling: Telling): Promise<void> {
  const { caller, context, log, requestId } = telling
  const { realmId, userId } = caller
  try {
    const person = await findPinger(context.db, realmId, userId)
    if (!person) return
    const user = { id: userId, note: person.showsPresence ? 'shown' : 'hidden' } as const
    await context.presence.note(realmId, context.now(), { user, since: null })
    const seen = await context.presence.find(realmId, userId)
    if (seen) publish(seen, person.email, telling)
  } catch (err) {
    log.warn({ err, requestId }, 'a choice about presence shows later')
  }
}

function publish(seen: Seen, email: string, { caller, context, requestId, log }: Telling): void {
  const payload = {
    user_id: seen.userId,
    email,
    server_timestamp: context.now().getTime() / 1000,
    presence: clientPresenceOf(seen),
  }
  const cause = { realmId: caller.realmId, requestId }
  publishUnsequenced(context.publisher, domainEvents.users.presenceChanged, payload, cause).catch(
    (err: unknown) => log.debug({ err, requestId }, 'a presence event was lost'),
  )
}
