import type { Tx } from '@tms/service-kit'
import { listUserListRows, readUserListChanges, type UserListRow } from './user-list.queries.ts'
import {
  createChunk,
  findChunkJson,
  isSameChunk,
  renderChunkJson,
  type SharedView,
  type UserListChunk,
} from './user-list-chunk.ts'

/** An organization's users at one time, in chunks by ID. A chunk covers the IDs up to the next one's first. */
export interface UserListSnapshot {
  readonly server: string
  /** All transactions below this one had ended, so the snapshot has what they did; of later ones it may lack some. */
  readonly xmin: number
  /** The same array as long as no user changes. */
  readonly chunks: readonly UserListChunk[]
  /** Key of the profile fields with which the records were rendered. */
  readonly fieldsKey: string
}

/** Users per chunk: more make a change costlier, fewer split answers into more pieces. */
const CHUNK_SIZE = 128
/** Users per query: some milliseconds of work. */
const PAGE_SIZE = 512
const MAX_ID = 2 ** 31 - 1

/**
 * The users that a transaction sees, with records rendered for a view. Reads only rows that changed in `known.xmin` or a
 * later transaction; the others are as in `known`. Transactions below `xmin` had all ended when `known` was read, so it
 * has what they did, and whatever changed a row later wrote a higher ID into `changed_in`.
 *
 * `known` must have been read before the transaction took its snapshot, or it might have changes that the transaction
 * doesn't see.
 */
export async function readUserListSnapshot(
  tx: Tx,
  realmId: number,
  known: UserListSnapshot | null,
  view: SharedView,
): Promise<UserListSnapshot> {
  const { server, xmin, changed } = await readUserListChanges(tx, realmId, known?.xmin ?? null)
  const fieldsKey = view.profileFields.key
  const isUsable = known?.server === server && known.fieldsKey === fieldsKey
  const chunks = isUsable ? known.chunks : []
  const stale = chunks.map((chunk) => findChunkJson(chunk, view) === null)
  if (chunks.length === 0) stale.push(true)
  for (const [id, changedIn] of changed) {
    const index = indexOf(chunks, id)
    const entry = chunks[index]?.entries.find((one) => one.id === id)
    if (entry?.changedIn !== changedIn) stale[index] = true
  }
  if (!stale.includes(true)) return { server, xmin, chunks, fieldsKey }
  const current: UserListChunk[] = []
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

/** The chunk that covers an ID; 0 if there is none yet. */
function indexOf(chunks: readonly UserListChunk[], id: number): number {
  return Math.max(
    0,
    chunks.findLastIndex(({ firstId }) => firstId <= id),
  )
}

/** Reads the chunks from `from` to before `to`. Unchanged chunks are reused, with all their renderings. */
async function readChunks(
  tx: Tx,
  realmId: number,
  {
    chunks,
    from,
    to,
    view,
  }: { chunks: readonly UserListChunk[]; from: number; to: number; view: SharedView },
): Promise<UserListChunk[]> {
  const read: UserListChunk[] = []
  let accounts: UserListRow[] = []
  let index = from
  const finish = () => {
    if (accounts.length === 0) return
    const fresh = createChunk(accounts)
    const before = chunks[index]
    const chunk = before && isSameChunk(before, fresh) ? before : fresh
    if (findChunkJson(chunk, view) === null) renderChunkJson(chunk, accounts, view)
    read.push(chunk)
    accounts = []
  }
  const last = to < chunks.length ? firstIdOf(chunks, to) - 1 : MAX_ID
  for await (const account of iterateUserListRows(
    tx,
    realmId,
    from === 0 ? 0 : firstIdOf(chunks, from) - 1,
    last,
  )) {
    const isNext = index + 1 < to && account.id >= firstIdOf(chunks, index + 1)
    if (isNext || accounts.length === CHUNK_SIZE) finish()
    if (isNext) index = indexOf(chunks, account.id)
    accounts.push(account)
  }
  finish()
  return read
}

const firstIdOf = (chunks: readonly UserListChunk[], index: number): number =>
  chunks[index]?.firstId ?? MAX_ID

async function* iterateUserListRows(
  tx: Tx,
  realmId: number,
  afterId: number,
  lastId: number,
): AsyncGenerator<UserListRow> {
  for (let after: number | undefined = afterId; after !== undefined; ) {
    const page: UserListRow[] = await listUserListRows(tx, realmId, {
      afterId: after,
      lastId,
      limit: PAGE_SIZE,
    })
    yield* page
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.id
  }
}
