import { unknownUser } from '@tms/contracts'
import { type ShownPerson, toUserRecord } from '../accounts/user-record.ts'
import type { UserVisibility } from '../guest-visibility/sight.ts'
import {
  type Chunk,
  type ChunkText,
  findText,
  type SharedView,
  seesAddresses,
  standings,
  type UserListKind,
} from './chunk.ts'
import type { UserListSnapshot } from './read-edition.ts'

/** For whom the lists are. */
export interface Reader extends SharedView {
  readonly own: ShownPerson
  /** Null is everyone. */
  readonly sight: UserVisibility | null
  /** What the addresses of unknown users end in. */
  readonly emailHost: string
  /** The client knows that there may be others; it gets no unknown users. */
  readonly leavesOutUnknown: boolean
}

/** The items of each list, in texts of one or several. */
export type Lists = Readonly<Record<UserListKind, Uint8Array[]>>

/**
 * Everyone in an edition as one reader sees them: by ID, active people and bots, deactivated ones, and the server's own
 * actors. Who is unknown to the reader stands among the active ones, whoever it is.
 */
export function writeLists({ chunks }: UserListSnapshot, reader: Reader): Lists {
  const lists: Lists = { active: [], inactive: [], systemBot: [] }
  const own = writeOwn(reader)
  for (const chunk of chunks) {
    const text = findText(chunk, reader)
    if (!text) throw new Error('an edition was read without texts for its reader')
    const ownPlace = own ? chunk.entries.findIndex(({ id }) => id === reader.own.id) : -1
    for (const standing of standings) {
      const items = reader.sight
        ? writeSeen(chunk, text, standing, { ...reader, sight: reader.sight, own, ownPlace })
        : takeAll(chunk, text, standing, { own, ownPlace })
      if (items.length > 0) lists[standing].push(items)
    }
  }
  return lists
}

interface OwnRecord {
  /** Null where it looks as in the texts for everyone. */
  readonly own: Buffer | null
  /** Among the chunk's entries; -1 for none. */
  readonly ownPlace: number
}

/** One's own address is there whoever else sees it. */
function writeOwn(reader: Reader): Buffer | null {
  const { own, role } = reader
  if (seesAddresses(reader, own.emailAddressVisibility)) return null
  const view = { ...reader, viewer: { userId: own.id, role } }
  return Buffer.from(JSON.stringify(toUserRecord(own, view)))
}

/** The records of a standing follow each other: they are taken as they are, but for one's own. */
function takeAll(
  { entries }: Chunk,
  { bytes, offsets }: ChunkText,
  standing: UserListKind,
  { own, ownPlace }: OwnRecord,
): Uint8Array {
  const from = entries.findIndex((entry) => entry.standing === standing)
  const last = entries.findLastIndex((entry) => entry.standing === standing)
  if (from < 0) return Buffer.alloc(0)
  const [begin, end] = [startOf(offsets, from), startOf(offsets, last + 1) - 1]
  if (!own || ownPlace < from || ownPlace > last) return bytes.subarray(begin, end)
  return Buffer.concat([
    bytes.subarray(begin, startOf(offsets, ownPlace)),
    own,
    bytes.subarray(startOf(offsets, ownPlace + 1) - 1, end),
  ])
}

function writeSeen(
  { entries }: Chunk,
  { bytes, offsets }: ChunkText,
  standing: UserListKind,
  reader: Omit<Reader, 'own'> & OwnRecord & { readonly sight: UserVisibility },
): Uint8Array {
  const items: { id: number; bytes: Uint8Array }[] = []
  for (const [place, entry] of entries.entries()) {
    const { id } = entry
    if (!reader.sight.sees(entry)) {
      if (standing === 'active' && !reader.leavesOutUnknown)
        items.push({ id, bytes: writeUnknown(id, reader) })
    } else if (entry.standing === standing) {
      const shared = bytes.subarray(startOf(offsets, place), startOf(offsets, place + 1) - 1)
      items.push({ id, bytes: (place === reader.ownPlace && reader.own) || shared })
    }
  }
  const comma = Buffer.from(',')
  items.sort((a, b) => a.id - b.id)
  return Buffer.concat(items.flatMap((item) => [comma, item.bytes])).subarray(1)
}

function writeUnknown(userId: number, { emailHost }: Pick<Reader, 'emailHost'>): Buffer {
  const { is_active: _, ...record } = unknownUser(userId, emailHost, { withProfileData: true })
  return Buffer.from(JSON.stringify(record))
}

const startOf = (offsets: Uint32Array, place: number): number => offsets[place] ?? 0
