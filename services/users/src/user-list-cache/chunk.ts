import { canSeeDeliveryEmail } from '@tms/contracts'
import { type ShownPerson, toUserRecord, type View } from '../accounts/user-record.ts'
import type { CurrentFields } from '../profiles/current-fields.ts'
import type { PersonRow } from './people-texts.queries.ts'

/** In which of register's lists someone stands, in the order in which they stand in a chunk's texts. */
export const standings = ['active', 'inactive', 'systemBot'] as const
export type UserListKind = (typeof standings)[number]

/** How someone sees others of whom nobody is hidden from them. */
export type SharedView = Pick<View, 'clientGravatar'> & {
  readonly role: number
  readonly profileFields: CurrentFields
}

interface Entry {
  readonly id: number
  readonly changedIn: number
  readonly isBot: boolean
  readonly standing: UserListKind
}

/** Some people whose IDs follow each other, as they were at one time, and how they look to whoever was interested. */
export interface Chunk {
  readonly firstId: number
  /** By standing, then by ID. */
  readonly entries: readonly Entry[]
  /** Which visibilities their addresses have: texts differ only by which of these a role sees. */
  readonly visibilities: readonly number[]
  /** By what the views that share one have in common; made when one first asks. */
  readonly texts: Map<string, ChunkText>
}

/** Records as JSON in the order of the entries, a comma between them. */
export interface ChunkText {
  readonly bytes: Buffer
  /** Where each record begins, and at the end where the next one would. */
  readonly offsets: Uint32Array
}

/** Has an ID that nobody has: what one sees of oneself alone is no part of texts for many. */
const NOBODY = 0

/** Makes a chunk, without texts yet, of at least one person, by ID. */
export function createChunk(people: readonly PersonRow[]): Chunk {
  return {
    firstId: people[0]?.id ?? NOBODY,
    entries: inOrder(people).map((person) => ({
      id: person.id,
      changedIn: person.changedIn,
      isBot: person.isBot,
      standing: standingOf(person),
    })),
    visibilities: [...new Set(people.map((person) => person.emailAddressVisibility))].sort((a, b) => a - b),
    texts: new Map(),
  }
}

/** Whether two chunks are of the same people at times between which nobody of them changed. */
export function isSameChunk(one: Chunk, other: Chunk): boolean {
  return (
    one.entries.length === other.entries.length &&
    one.entries.every(({ id, changedIn }, index) => {
      const entry = other.entries[index]
      return entry?.id === id && entry.changedIn === changedIn
    })
  )
}

/** The chunk's text for a view, if it was made. */
export function findText(chunk: Chunk, view: SharedView): ChunkText | null {
  return chunk.texts.get(keyOf(chunk, view)) ?? null
}

/** Makes the chunk's text for a view, of the people that it was made of. */
export function writeText(chunk: Chunk, people: readonly PersonRow[], view: SharedView): void {
  const shared = { viewer: { userId: NOBODY, role: view.role }, ...view }
  const comma = Buffer.from(',')
  const records = inOrder(people).flatMap((person) => [
    Buffer.from(JSON.stringify(toUserRecord(person, shared))),
    comma,
  ])
  const offsets = new Uint32Array(people.length + 1)
  let at = 0
  for (const [index, { length }] of records.entries()) {
    at += length
    if (index % 2 === 1) offsets[(index + 1) / 2] = at
  }
  chunk.texts.set(keyOf(chunk, view), { bytes: Buffer.concat(records), offsets })
}

/** Whether the role, as such, sees addresses of this visibility. */
export function seesAddresses({ role }: SharedView, emailAddressVisibility: number): boolean {
  return canSeeDeliveryEmail({ userId: NOBODY, role }, { id: NOBODY - 1, emailAddressVisibility })
}

function keyOf({ visibilities }: Chunk, view: SharedView): string {
  return `${view.clientGravatar} ${visibilities.filter((one) => seesAddresses(view, one)).join()}`
}

function standingOf({ isSystemBot, isActive }: ShownPerson): UserListKind {
  if (isSystemBot) return 'systemBot'
  return isActive ? 'active' : 'inactive'
}

function inOrder(people: readonly PersonRow[]): readonly PersonRow[] {
  const place = (person: PersonRow) => standings.indexOf(standingOf(person))
  return people.toSorted((a, b) => place(a) - place(b) || a.id - b.id)
}
