import { Role } from '../permissions/role.ts'
import { oneOf } from './access-rule.ts'

/** How a reader has access to a file: mostly through the messages that link it. */
export interface FileConditions {
  readonly isOwner: boolean
  /** A message is in a channel that isn't private. */
  readonly isInPublicChannel: boolean
  /** A message is in a web-public channel. */
  readonly isInWebPublicChannel: boolean
  /** The reader received a message, or has it from a history. */
  readonly isReceived: boolean
  /** A message is in a private channel with a shared history, whose subscriber the reader is, or could be by a permission. */
  readonly isInSharedHistory: boolean
  readonly role: number | null
}

/** Who may do what with a file. */
export const fileRules = {
  read: oneOf<FileConditions>(
    { isInWebPublicChannel: true },
    { isInPublicChannel: true, role: Role.member },
    { isOwner: true, role: Role.guest },
    { isReceived: true, role: Role.guest },
    { isInSharedHistory: true, role: Role.guest },
  ),
}
