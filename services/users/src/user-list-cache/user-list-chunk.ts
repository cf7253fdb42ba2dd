import { canSeeDeliveryEmail } from '@tms/contracts'
import { SharedText } from '@tms/service-kit'
import { toUserRecord, type UserRecordRow, type View } from '../kernel/accounts/user-record.ts'
import type { CurrentFields } from '../kernel/profiles/current-fields.ts'
import type { UserListRow } from './user-list.queries.ts'

/** The lists of register, in the order in which a chunk has them. */
export const userListKinds = ['active', 'inactive', 'systemBot'] as const
export type UserListKind = (typeof userListKinds)[number]

/** The part of a view that many readers share, without restrictions of visibility. */
export type SharedView = Pick<View, 'clientGravatar'> & {
  readonly role: number
  readonly profileFields: CurrentFields
}

interface Entry {
  readonly id: number
  readonly changedIn: number
  readonly isBot: boolean
  readonly role: number
  readonly listKind: UserListKind
}

/** Users with consecutive IDs at one time, with their records rendered for some views. */
export interface UserListChunk {
  readonly firstId: number
  /** By list, then by ID. */
  readonly entries: readonly Entry[]
  /** Visibilities of the users' addresses: renderings differ only by which of these a role sees. */
  readonly visibilities: readonly number[]
  /** By the common part of equivalent views; rendered on first use. */
  readonly jsonByView: Map<string, ChunkJson>
}

/** Records as JSON in the order of the entries, separated by commas. */
export interface ChunkJson {
  readonly bytes: Buffer
  /** Where each record begins, and where the next one would begin. */
  readonly offsets: Uint32Array
  /** The records of each list, which are contiguous. */
  readonly lists: Readonly<Record<UserListKind, ListJson | null>>
}

interface ListJson {
  /** Indices in the entries: of the first record, and after the last. */
  readonly from: number
  readonly to: number
  readonly text: SharedText
}

/** An ID that no account has: what only the user themselves may see is not part of shared renderings. */
const NO_USER_ID = 0

/** Creates a chunk of at least one user, by ID, without renderings. */
export function createChunk(accounts: readonly UserListRow[]): UserListChunk {
  return {
    firstId: accounts[0]?.id ?? NO_USER_ID,
    entries: inOrder(accounts).map((account) => ({
      id: account.id,
      changedIn: account.changedIn,
      isBot: account.isBot,
      role: account.role,
      listKind: getListKind(account),
    })),
    visibilities: [...new Set(accounts.map((account) => account.emailAddressVisibility))].sort(
      (a, b) => a - b,
    ),
    jsonByView: new Map(),
  }
}

/** Whether both chunks have the same users, and none has changed between them. */
export function isSameChunk(one: UserListChunk, other: UserListChunk): boolean {
  return (
    one.entries.length === other.entries.length &&
    one.entries.every(({ id, changedIn }, index) => {
      const entry = other.entries[index]
      return entry?.id === id && entry.changedIn === changedIn
    })
  )
}

/** Null if the view wasn't rendered. */
export function findChunkJson(chunk: UserListChunk, view: SharedView): ChunkJson | null {
  return chunk.jsonByView.get(keyOf(chunk, view)) ?? null
}

/** Renders the chunk's records for a view, from the rows that it was created from. */
export function renderChunkJson(
  chunk: UserListChunk,
  accounts: readonly UserListRow[],
  view: SharedView,
): void {
  const shared = { viewer: { userId: NO_USER_ID, role: view.role }, ...view }
  const comma = Buffer.from(',')
  const records = inOrder(accounts).map((account) =>
    Buffer.from(JSON.stringify(toUserRecord(account, shared))),
  )
  const offsets = new Uint32Array(records.length + 1)
  let end = 0
  for (const [index, { length }] of records.entries()) {
    end += length + comma.length
    offsets[index + 1] = end
  }
  const bytes = Buffer.concat(records.flatMap((record) => [record, comma]))
  const listOf = (kind: UserListKind) => cutList(chunk, { bytes, offsets }, kind)
  const lists = { active: listOf('active'), inactive: listOf('inactive'), systemBot: listOf('systemBot') }
  chunk.jsonByView.set(keyOf(chunk, view), { bytes, offsets, lists })
}

/** Null if the chunk has no user of the list. */
function cutList(
  { entries }: UserListChunk,
  { bytes, offsets }: Pick<ChunkJson, 'bytes' | 'offsets'>,
  kind: UserListKind,
): ListJson | null {
  const from = entries.findIndex(({ listKind }) => listKind === kind)
  if (from < 0) return null
  const to = entries.findLastIndex(({ listKind }) => listKind === kind) + 1
  return { from, to, text: new SharedText(bytes.subarray(offsets[from], (offsets[to] ?? 0) - 1)) }
}

/** Whether the role alone can see addresses of this visibility. */
export function canSeeAddresses({ role }: SharedView, emailAddressVisibility: number): boolean {
  return canSeeDeliveryEmail({ userId: NO_USER_ID, role }, { id: NO_USER_ID - 1, emailAddressVisibility })
}

function keyOf({ visibilities }: UserListChunk, view: SharedView): string {
  return `${view.clientGravatar} ${visibilities.filter((one) => canSeeAddresses(view, one)).join()}`
}

function getListKind({ isSystemBot, isActive }: UserRecordRow): UserListKind {
  if (isSystemBot) return 'systemBot'
  return isActive ? 'active' : 'inactive'
}

function inOrder(accounts: readonly UserListRow[]): readonly UserListRow[] {
  const rank = (account: UserListRow) => userListKinds.indexOf(getListKind(account))
  return accounts.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id)
}
