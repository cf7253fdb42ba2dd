import { quietUntil } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'

/** How long something is held before it is looked at again, so that what waits for weeks is bounded each day. */
const MAX_HELD_MS = 86_400_000

/** Until when to hold what a user wants quiet about: its end, or a day from now. Null if the user doesn't want quiet now. */
export async function findQuietEnd(
  { projections, now }: Pick<Context, 'projections' | 'now'>,
  userId: number,
): Promise<Date | null> {
  const { settings, timezone = '' } = await projections.getUser(userId)
  const at = now()
  const end = quietUntil(settings, timezone, at)
  return end && new Date(Math.min(end.getTime(), at.getTime() + MAX_HELD_MS))
}
