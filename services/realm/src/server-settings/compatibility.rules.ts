import { clientNameOf } from '@tms/service-kit'

/** A client by this name is told that it is too old; existing clients test their handling of it that way. */
const INCOMPATIBLE_CLIENT = 'ZulipInvalid'
const ANDROID_CLIENT = 'ZulipMobile'
/** Older ones don't understand what they are told. */
const OLDEST_ON_ANDROID = [16, 2, 96] as const

/** Whether server settings call a client incompatible: by its name alone. */
export function isIncompatible(userAgent: string | undefined): boolean {
  return userAgent !== undefined && clientNameOf(undefined, userAgent) === INCOMPATIBLE_CLIENT
}

/** Whether a client is to be replaced before it is used: one that server settings call incompatible, or an old one. */
export function isTooOld(userAgent: string): boolean {
  return isIncompatible(userAgent) || isOldOnAndroid(userAgent)
}

/** A version may have fewer parts or more. */
function isOldOnAndroid(userAgent: string): boolean {
  const version = /^[^/]*\/(\d+(?:\.\d+)*)\b.*\bAndroid\b/.exec(userAgent)?.[1]?.split('.')
  if (!version || clientNameOf(undefined, userAgent) !== ANDROID_CLIENT) return false
  const at = OLDEST_ON_ANDROID.findIndex((part, index) => Number(version[index] ?? 0) !== part)
  return at >= 0 && Number(version[at] ?? 0) < Number(OLDEST_ON_ANDROID[at])
}
