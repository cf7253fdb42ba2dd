import type { Queryable } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findVisibility, type Viewer } from '../guest-visibility/sight.ts'
import { findPresentPeople } from './presence.queries.ts'
import type { PresentPerson } from './presence.rules.ts'
import type { PresenceReading } from './presence-store.ts'

/** Everyone who was seen in the last two weeks and whom the viewer sees. Rejects while Redis is away. */
export async function readPresence(
  { db, presence }: Pick<Context, 'db' | 'presence'>,
  viewer: Viewer,
  at: Date,
): Promise<PresenceReading & { people: ReadonlyMap<number, PresentPerson> }> {
  const reading = await presence.note(viewer.realmId, at, { user: null, since: -1 })
  const ids = reading.seen.map(({ userId }) => userId)
  return { ...reading, people: await listPresentPeople(db, viewer, ids) }
}

/** Those of the IDs who are people with an account in use and whom the viewer sees. */
export async function listPresentPeople(
  db: Queryable,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PresentPerson>> {
  const sight = await findVisibility(db, viewer)
  const seenIds = ids.filter((id) => sight.sees({ id, isBot: false }))
  return findPresentPeople(db, viewer.realmId, seenIds)
}
