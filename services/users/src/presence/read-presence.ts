import type { Queryable } from '@tms/service-kit'
import { type ActiveUser, findActiveUsers } from '../kernel/accounts/active-user.queries.ts'
import type { Context } from '../kernel/context.ts'
import { findVisibility, type Viewer } from '../kernel/guest-visibility/user-visibility.ts'
import type { PresenceReading } from '../kernel/presence/presence-store.ts'
import { historySecondsOf } from './presence.rules.ts'

/** Users seen in the last days that the viewer may see. Rejects if Redis is down. */
export async function readPresence(
  { db, presence }: Pick<Context, 'db' | 'presence'>,
  viewer: Viewer,
  at: Date,
  historyDays?: number,
): Promise<PresenceReading & { accounts: ReadonlyMap<number, ActiveUser> }> {
  const reading = await presence.note(viewer.realmId, at, {
    user: null,
    since: -1,
    historySeconds: historySecondsOf(historyDays),
  })
  const ids = reading.lastSeen.map(({ userId }) => userId)
  return { ...reading, accounts: await findVisibleActiveUsers(db, viewer, ids) }
}

/** Which of these IDs are active human users that the viewer may see. */
export async function findVisibleActiveUsers(
  db: Queryable,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ActiveUser>> {
  const visibility = await findVisibility(db, viewer)
  const visibleUserIds = ids.filter((id) => visibility.canSee({ id, isBot: false }))
  return findActiveUsers(db, viewer.realmId, visibleUserIds)
}
