import { badRequest, limits } from '@tms/contracts'

/** What a user has of one kind that isn't sent yet. */
export interface UnsentRoom {
  readonly count: number
  /** Of the texts and their HTML. */
  readonly bytes: number
}

const MAX_BYTES = limits.maxUnsentMib * 1024 * 1024

/** Throws BAD_REQUEST where what a user has, with what is new, is more than `maxCount` or longer than all may be. */
export function checkRoom(kind: string, room: UnsentRoom, maxCount: number): void {
  if (room.count > maxCount) throw badRequest(`You can have at most ${maxCount} ${kind}`)
  checkLength(kind, room)
}

/** Throws BAD_REQUEST where what a user has, with what changed, is longer than all may be. */
export function checkLength(kind: string, { bytes }: Pick<UnsentRoom, 'bytes'>): void {
  if (bytes > MAX_BYTES) {
    throw badRequest(`Your ${kind} may have at most ${limits.maxUnsentMib} MiB in all, formatting included`)
  }
}
