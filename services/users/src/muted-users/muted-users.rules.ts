import { badRequest, limits, type MutedUser } from '@tms/contracts'

/** Throws BAD_REQUEST if the user is muted already, or there are too many. */
export function addMuted(muted: readonly MutedUser[], id: number, now: Date): MutedUser[] {
  if (isMuted(muted, id)) throw badRequest('You have muted this user already')
  if (muted.length >= limits.maxMutedUsers)
    throw badRequest(`You can mute at most ${limits.maxMutedUsers} users`)
  return [...muted, { id, timestamp: Math.floor(now.getTime() / 1000) }]
}

/** Throws BAD_REQUEST if the user isn't muted. */
export function removeMuted(muted: readonly MutedUser[], id: number): MutedUser[] {
  if (!isMuted(muted, id)) throw badRequest('You have not muted this user')
  return muted.filter((one) => one.id !== id)
}

const isMuted = (muted: readonly MutedUser[], id: number): boolean => muted.some((one) => one.id === id)
