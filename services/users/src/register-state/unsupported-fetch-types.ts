import { type RegisterStateBody, wants } from '@tms/contracts'

/** Fetch types without data here, with the empty values that clients expect. */
export const unsupportedFetchTypes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  video_calls: { has_zoom_token: false },
}

/** The keys of those that are requested. */
export function unsupportedKeys(body: RegisterStateBody): Record<string, unknown> {
  const requested = Object.entries(unsupportedFetchTypes).filter(([fetchType]) => wants(body, fetchType))
  return Object.fromEntries(requested.flatMap(([, keys]) => Object.entries(keys)))
}
