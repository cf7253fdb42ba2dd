import { Role } from '@tms/contracts'
import type { Caller, Spectator } from '@tms/service-kit'

/** The caller of a read: a user or a spectator. */
export interface Reader extends Caller {
  readonly isSpectator: boolean
}

/** No user has this ID, so lookups by it find nothing. */
const NOBODY = 0

/**
 * A spectator reads like a guest without channels and conversations: guests see the channels that they are in, and
 * web-public ones.
 */
export function readerOf(caller: Caller | Spectator): Reader {
  if (caller.userId !== null) return { ...caller, isSpectator: false }
  return { userId: NOBODY, realmId: caller.realmId, role: Role.guest, isBot: false, isSpectator: true }
}
