import { externalIdOf, readDocument, readId } from './document.rules.ts'
import { applyOperations, type Operation } from './patch.rules.ts'
import { type Document, groupSchema, isDocument } from './schema.rules.ts'
import { invalidValue } from './scim-errors.ts'

/** What provisioning may say of a group. */
export interface GroupState {
  readonly displayName: string
  readonly externalId: string | null
  /** IDs of people, without repetition. */
  readonly memberIds: readonly number[]
}

export interface ProvisionedGroup extends GroupState {
  readonly id: number
  /** Null if it isn't known. */
  readonly createdAt: Date | null
}

export function toGroupResource(group: ProvisionedGroup, baseUrl: string): Document {
  const { id, displayName, externalId, createdAt } = group
  const time = createdAt?.toISOString()
  return {
    schemas: [groupSchema.id],
    id: String(id),
    ...(externalId !== null && { externalId }),
    displayName,
    members: toMembers(group),
    meta: {
      resourceType: 'Group',
      ...(time !== undefined && { created: time, lastModified: time }),
      location: `${baseUrl}/Groups/${id}`,
    },
  }
}

const toMembers = ({ memberIds }: GroupState): Document[] =>
  memberIds.map((id) => ({ value: String(id), type: 'User' }))

/** The state that a new resource describes. Throws invalidValue. */
export function readNewGroup(body: Document): GroupState {
  const document = readDocument(body, groupSchema)
  return {
    displayName: displayNameOf(document),
    externalId: externalIdOf(document),
    memberIds: memberIdsOf(document) ?? [],
  }
}

/** The state after a resource was replaced; what isn't in it stays. Throws invalidValue. */
export function replaceGroup(present: GroupState, body: Document): GroupState {
  const document = readDocument(body, groupSchema)
  return {
    displayName: displayNameOf(document),
    externalId: externalIdOf(document) ?? present.externalId,
    memberIds: memberIdsOf(document) ?? present.memberIds,
  }
}

/** The state after these operations. Throws invalidValue, noTarget or mutability. */
export function patchGroup(present: GroupState, operations: readonly Operation[]): GroupState {
  const { displayName, externalId } = present
  const after = applyOperations({ displayName, externalId, members: toMembers(present) }, operations)
  return {
    displayName: displayNameOf(after),
    externalId: externalIdOf(after),
    memberIds: memberIdsOf(after) ?? [],
  }
}

/** Who joins and leaves. */
export function movesBetween(
  before: GroupState,
  after: GroupState,
): { readonly added: number[]; readonly removed: number[] } {
  const [had, has] = [new Set(before.memberIds), new Set(after.memberIds)]
  return {
    added: after.memberIds.filter((id) => !had.has(id)),
    removed: before.memberIds.filter((id) => !has.has(id)),
  }
}

export function isSameGroup(one: GroupState, other: GroupState): boolean {
  const { added, removed } = movesBetween(one, other)
  const hasMoves = added.length + removed.length > 0
  return !hasMoves && one.displayName === other.displayName && one.externalId === other.externalId
}

function displayNameOf({ displayName }: Document): string {
  const name = typeof displayName === 'string' ? displayName.trim() : ''
  if (name === '') throw invalidValue("'displayName' is required")
  return name
}

/** Null if there is no list. */
function memberIdsOf({ members }: Document): number[] | null {
  if (!Array.isArray(members)) return null
  return [...new Set(members.map(memberIdOf))]
}

function memberIdOf(member: unknown): number {
  const { value, type }: Document = isDocument(member) ? member : {}
  if (typeof type === 'string' && type.toLowerCase() !== 'user')
    throw invalidValue('Only people can be members')
  const id = readId(typeof value === 'string' ? value : '')
  if (id === null) throw invalidValue('A member has no valid ID')
  return id
}
