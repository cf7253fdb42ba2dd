import { Role } from '@tms/contracts'

/** How a user has access to a file, through the messages that link it. */
export interface FileAccess {
  readonly isOwner: boolean
  /** A message is in a public channel. */
  readonly isInPublicChannel: boolean
  /** A message is in a web-public channel. */
  readonly isInWebPublicChannel: boolean
  /** The user received a message, or has it from a history. */
  readonly isReceived: boolean
  /** A message is in a channel that the user is subscribed to, with a history shared by subscribers. */
  readonly isInSharedHistory: boolean
}

/** The reader of a file; null is anyone on the web. */
type Reader = { readonly role: number } | null

/** Whether a reader may enter public channels, and so read what is in them. */
export function canEnterPublicChannels(reader: Reader): boolean {
  return reader !== null && reader.role <= Role.member
}

/** Whether a reader may read a file of their organization. */
export function canReadFile(reader: Reader, access: FileAccess): boolean {
  if (access.isInWebPublicChannel) return true
  if (reader === null) return false
  if (access.isInPublicChannel && canEnterPublicChannels(reader)) return true
  return access.isOwner || access.isReceived || access.isInSharedHistory
}
