import type { Context } from '../context.ts'
import { findPresentPeople } from './presence.queries.ts'
import type { PresentPerson } from './presence.rules.ts'
import type { PresenceReading } from './presence-store.ts'

/** Everyone who was seen in the last two weeks, with their accounts. Rejects while Redis is away. */
export async function readPresence(
  { db, presence }: Pick<Context, 'db' | 'presence'>,
  realmId: number,
  at: Date,
): Promise<PresenceReading & { people: ReadonlyMap<number, PresentPerson> }> {
  const reading = await presence.note(realmId, at, { user: null, since: -1 })
  const ids = reading.seen.map(({ userId }) => userId)
  return { ...reading, people: await findPresentPeople(db, realmId, ids) }
}
