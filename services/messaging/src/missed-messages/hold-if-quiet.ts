import { quietUntil, type UserProjection } from '@tms/contracts'
import { type Tx, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { lockKnownUser } from '../kernel/projections/known-user.queries.ts'

/** How long something is held before it is looked at again, so that what waits for weeks is bounded each day. */
const MAX_HELD_MS = 86_400_000

/**
 * Has what is due for a user wait by `hold`, until a moment, if the user wants quiet now: until the end of that, or a day from now.
 * Returns whether it waits.
 *
 * A change of the settings makes what waits due at once, maybe before this replica's memory of the user is renewed. What is held
 * by such old settings would wait for the end of a quiet that is over. So a user who seems to want quiet is asked again under the
 * lock of the row that the change also takes: one of the two waits for the other. Somebody who seems not to want it is
 * notified, as if what is due had come a moment earlier.
 */
export async function holdIfQuiet(
  { db, projections, now }: Pick<Context, 'db' | 'projections' | 'now'>,
  userId: number,
  hold: (tx: Tx, until: Date) => Promise<void>,
): Promise<boolean> {
  const endFor = ({ settings, timezone = '' }: UserProjection): Date | null => {
    const at = now()
    const end = quietUntil(settings, timezone, at)
    return end && new Date(Math.min(end.getTime(), at.getTime() + MAX_HELD_MS))
  }
  // Most users don't want quiet, and these settings are in memory.
  if (endFor(await projections.getUser(userId)) === null) return false
  return transact(db, async (tx) => {
    const user = await lockKnownUser(tx, userId)
    const end = user && endFor(user)
    if (end === null) return false
    await hold(tx, end)
    return true
  })
}
