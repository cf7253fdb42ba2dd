import { badRequest, limits, messageFlag } from '@tms/contracts'

/** Messages per transaction and event; more would make an entry of the log too large. */
export const FLAG_BATCH = 5_000

/** Flags that clients may set. */
const EDITABLE = ['read', 'starred', 'collapsed'] as const
export type EditableFlag = (typeof EDITABLE)[number]

/** Flags that clients know, but no message ever has. */
const UNUSED_FLAGS: ReadonlySet<string> = new Set(['group_mentioned', 'force_expand', 'force_collapse'])

/** Throws BAD_REQUEST for a flag that doesn't exist or that only the server sets. */
export function parseEditableFlag(flag: string): EditableFlag {
  const editable = EDITABLE.find((one) => one === flag)
  if (editable) return editable
  const isKnown = messageFlag.safeParse(flag).success || UNUSED_FLAGS.has(flag)
  throw badRequest(isKnown ? `Flag not editable: '${flag}'` : `Invalid flag: '${flag}'`)
}

/** Sorts IDs and removes duplicates. Throws BAD_REQUEST for more than one request may change. */
export function uniqueIds(messageIds: readonly number[]): number[] {
  if (messageIds.length > limits.maxListLength) {
    throw badRequest(`Too many messages in one request (maximum ${limits.maxListLength}).`)
  }
  return [...new Set(messageIds)].sort((a, b) => a - b)
}
