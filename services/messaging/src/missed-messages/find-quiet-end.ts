import { quietUntil } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'

/** Until when a user wants quiet; null if not now. */
export async function findQuietEnd(
  { projections, now }: Pick<Context, 'projections' | 'now'>,
  userId: number,
): Promise<Date | null> {
  const { settings, timezone = '' } = await projections.getUser(userId)
  return quietUntil(settings, timezone, now())
}
