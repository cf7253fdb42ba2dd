import type { Tx } from '@tms/service-kit'
import { type Chunk, createChunk, findText, isSameChunk, type SharedView, writeText } from './chunk.ts'
import { listPeopleBetween, type PersonRow, readPeopleChanges } from './people-texts.queries.ts'

/** An organization's people at one time, in chunks by ID. Each covers the IDs up to the next one's first. */
export interface UserListSnapshot {
  readonly server: string
  /** Whatever transactions below this one did is in it. */
  readonly xmin: number
  readonly chunks: readonly Chunk[]
  /** Of the fields by which the texts were written. */
  readonly fieldsKey: string
}

/** People in one chunk: more make a change cost more, fewer make more pieces of an answer. */
const CHUNK_SIZE = 128
/** People read at a time: some milliseconds of work. */
const PAGE_SIZE = 512
const MAX_ID = 2 ** 31 - 1

/**
 * The people that a transaction sees, with texts for a view. What `known` has and nobody changed since isn't read again.
 *
 * `known` must have been there before the transaction took its snapshot. Then every transaction whose work is in it is
 * visible here too, and a row whose `changed_in` is below its `xmin` is the row that it was made of: that transaction
 * was over by then, and a later change would have left a later ID.
 */
export async function readUserListSnapshot(
  tx: Tx,
  realmId: number,
  known: UserListSnapshot | null,
  view: SharedView,
): Promise<UserListSnapshot> {
  const { server, xmin, changed } = await readPeopleChanges(tx, realmId, known?.xmin ?? null)
  const fieldsKey = view.profileFields.key
  const isUsable = known?.server === server && known.fieldsKey === fieldsKey
  const chunks = isUsable ? known.chunks : []
  const stale = chunks.map((chunk) => findText(chunk, view) === null)
  if (chunks.length === 0) stale.push(true)
  for (const [id, changedIn] of changed) {
    const index = indexOf(chunks, id)
    const entry = chunks[index]?.entries.find((one) => one.id === id)
    if (entry?.changedIn !== changedIn) stale[index] = true
  }
  const current: Chunk[] = []
  for (let from = 0; from < stale.length; ) {
    const isStale = stale[from]
    let to = from + 1
    while (to < stale.length && stale[to] === isStale) to++
    if (isStale) current.push(...(await readChunks(tx, realmId, { chunks, from, to, view })))
    else current.push(...chunks.slice(from, to))
    from = to
  }
  return { server, xmin, chunks: current, fieldsKey }
}

/** The chunk that covers an ID; 0 where there is none yet. */
function indexOf(chunks: readonly Chunk[], id: number): number {
  return Math.max(
    0,
    chunks.findLastIndex(({ firstId }) => firstId <= id),
  )
}

/** Reads the chunks `from` up to but without `to`; those of which nobody has changed stay the same, with all their texts. */
async function readChunks(
  tx: Tx,
  realmId: number,
  { chunks, from, to, view }: { chunks: readonly Chunk[]; from: number; to: number; view: SharedView },
): Promise<Chunk[]> {
  const read: Chunk[] = []
  let people: PersonRow[] = []
  let index = from
  const finish = () => {
    if (people.length === 0) return
    const fresh = createChunk(people)
    const before = chunks[index]
    const chunk = before && isSameChunk(before, fresh) ? before : fresh
    if (findText(chunk, view) === null) writeText(chunk, people, view)
    read.push(chunk)
    people = []
  }
  const last = to < chunks.length ? firstIdOf(chunks, to) - 1 : MAX_ID
  for await (const person of peopleBetween(tx, realmId, from === 0 ? 0 : firstIdOf(chunks, from) - 1, last)) {
    const isNext = index + 1 < to && person.id >= firstIdOf(chunks, index + 1)
    if (isNext || people.length === CHUNK_SIZE) finish()
    if (isNext) index = indexOf(chunks, person.id)
    people.push(person)
  }
  finish()
  return read
}

const firstIdOf = (chunks: readonly Chunk[], index: number): number => chunks[index]?.firstId ?? MAX_ID

async function* peopleBetween(
  tx: Tx,
  realmId: number,
  afterId: number,
  lastId: number,
): AsyncGenerator<PersonRow> {
  for (let after: number | undefined = afterId; after !== undefined; ) {
    const page: PersonRow[] = await listPeopleBetween(tx, realmId, {
      afterId: after,
      lastId,
      limit: PAGE_SIZE,
    })
    yield* page
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.id
  }
}
