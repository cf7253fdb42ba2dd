import { refusedClients } from '@tms/contracts'
import { clientNameOf } from '@tms/service-kit'

/** Whether server settings declare a client incompatible, which depends on its name alone. */
export function isIncompatible(userAgent: string | undefined): boolean {
  return userAgent !== undefined && clientNameOf(undefined, userAgent) === refusedClients.incompatible
}

/** Whether a client must be upgraded before use: an incompatible one, or an old one. */
export function isTooOld(userAgent: string): boolean {
  return isIncompatible(userAgent) || isOldOnAndroid(userAgent)
}

/** A version may have fewer parts or more. */
function isOldOnAndroid(userAgent: string): boolean {
  const { onAndroid } = refusedClients
  const version = /^[^/]*\/(\d+(?:\.\d+)*)\b.*\bAndroid\b/.exec(userAgent)?.[1]?.split('.')
  if (!version || clientNameOf(undefined, userAgent) !== onAndroid.name) return false
  const at = onAndroid.oldest.findIndex((part, index) => Number(version[index] ?? 0) !== part)
  return at >= 0 && Number(version[at] ?? 0) < Number(onAndroid.oldest[at])
}
