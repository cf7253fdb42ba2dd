import { Role } from '@tms/contracts'

/** How a file stands to someone, by the messages that link it. */
export interface FileAccess {
  readonly isOwner: boolean
  /** One is in a channel that everyone may enter. */
  readonly isInPublicChannel: boolean
  /** One is in a channel that the web may read. */
  readonly isInWebPublicChannel: boolean
  /** They received one, or have it from a history. */
  readonly isReceived: boolean
  /** One is in a channel that they are subscribed to, and whose subscribers share its history. */
  readonly isInSharedHistory: boolean
}

/** Whoever reads a file; null is anyone on the web. */
type Reader = { readonly role: number } | null

/** Whether someone may enter public channels, and so have what is in them. */
export function entersPublicChannels(reader: Reader): boolean {
  return reader !== null && reader.role <= Role.member
}

/** Whether someone may read a file of their organization. */
export function canReadFile(reader: Reader, standing: FileAccess): boolean {
  if (standing.isInWebPublicChannel) return true
  if (reader === null) return false
  if (standing.isInPublicChannel && entersPublicChannels(reader)) return true
  return standing.isOwner || standing.isReceived || standing.isInSharedHistory
}
