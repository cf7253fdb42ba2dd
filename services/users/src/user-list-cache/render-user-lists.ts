import { unknownUser } from '@tms/contracts'
import type { WrittenItems } from '@tms/service-kit'
import { toUserRecord, type UserRecordRow } from '../kernel/accounts/user-record.ts'
import type { UserVisibility } from '../kernel/guest-visibility/user-visibility.ts'
import type { UserListSnapshot } from './read-user-list-snapshot.ts'
import {
  type ChunkJson,
  canSeeAddresses,
  findChunkJson,
  type SharedView,
  type UserListChunk,
  type UserListKind,
  userListKinds,
} from './user-list-chunk.ts'

/** The user that gets the lists. */
export interface UserListReader extends SharedView {
  readonly own: UserRecordRow
  /** Null means everyone. */
  readonly visibility: UserVisibility | null
  /** Domain of unknown users' addresses. */
  readonly emailHost: string
  /** The client supports incomplete lists, so unknown users are left out. */
  readonly leavesOutUnknown: boolean
}

/** The items of each list; those of a chunk are shared unless the reader sees some of them differently. */
export type RenderedUserLists = Readonly<Record<UserListKind, WrittenItems[]>>

/**
 * Renders a snapshot for one reader, by ID: active users and bots, deactivated ones, and system bots. Users that the
 * reader can't see appear as unknown among the active ones.
 */
export function renderUserLists({ chunks }: UserListSnapshot, reader: UserListReader): RenderedUserLists {
  const lists: RenderedUserLists = { active: [], inactive: [], systemBot: [] }
  const own = renderOwnRecord(reader)
  for (const chunk of chunks) {
    const json = findChunkJson(chunk, reader)
    if (!json) throw new Error('the snapshot has no records for this view')
    const ownIndex = own ? chunk.entries.findIndex(({ id }) => id === reader.own.id) : -1
    for (const listKind of userListKinds) {
      const items = reader.visibility
        ? renderVisibleRecords(chunk, json, listKind, {
            ...reader,
            visibility: reader.visibility,
            own,
            ownIndex,
          })
        : listRecords(json, listKind, { own, ownIndex })
      if (items && items.length > 0) lists[listKind].push(items)
    }
  }
  return lists
}

interface OwnRecord {
  /** Null if it equals the shared rendering. */
  readonly own: Buffer | null
  /** Index in the chunk's entries; -1 if absent. */
  readonly ownIndex: number
}

/** The reader always sees their own address. */
function renderOwnRecord(reader: UserListReader): Buffer | null {
  const { own, role } = reader
  if (canSeeAddresses(reader, own.emailAddressVisibility)) return null
  const view = { ...reader, viewer: { userId: own.id, role } }
  return Buffer.from(JSON.stringify(toUserRecord(own, view)))
}

/** The records of a list, with the reader's own in place of the shared one. */
function listRecords(
  { bytes, offsets, lists }: ChunkJson,
  listKind: UserListKind,
  { own, ownIndex }: OwnRecord,
): WrittenItems | null {
  const list = lists[listKind]
  if (!list || !own || ownIndex < list.from || ownIndex >= list.to) return list && list.text
  return Buffer.concat([
    bytes.subarray(startOf(offsets, list.from), startOf(offsets, ownIndex)),
    own,
    bytes.subarray(startOf(offsets, ownIndex + 1) - 1, startOf(offsets, list.to) - 1),
  ])
}

function renderVisibleRecords(
  { entries }: UserListChunk,
  { bytes, offsets }: ChunkJson,
  listKind: UserListKind,
  reader: Omit<UserListReader, 'own'> & OwnRecord & { readonly visibility: UserVisibility },
): Uint8Array {
  const items: { id: number; bytes: Uint8Array }[] = []
  for (const [index, entry] of entries.entries()) {
    const { id } = entry
    if (!reader.visibility.canSee(entry)) {
      if (listKind === 'active' && !reader.leavesOutUnknown)
        items.push({ id, bytes: renderUnknownUser(id, reader) })
    } else if (entry.listKind === listKind) {
      const shared = bytes.subarray(startOf(offsets, index), startOf(offsets, index + 1) - 1)
      items.push({ id, bytes: (index === reader.ownIndex && reader.own) || shared })
    }
  }
  const comma = Buffer.from(',')
  items.sort((a, b) => a.id - b.id)
  return Buffer.concat(items.flatMap((item) => [comma, item.bytes])).subarray(1)
}

function renderUnknownUser(userId: number, { emailHost }: Pick<UserListReader, 'emailHost'>): Buffer {
  const { is_active: _, ...record } = unknownUser(userId, emailHost, { withProfileData: true })
  return Buffer.from(JSON.stringify(record))
}

const startOf = (offsets: Uint32Array, index: number): number => offsets[index] ?? 0
