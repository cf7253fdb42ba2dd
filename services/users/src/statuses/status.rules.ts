import { badRequest, limits, type RealmProjection, type StatusChange, type UserStatus } from '@tms/contracts'
import { requestedEmoji, validateEmoji } from '@tms/emoji'

/** The stored form of a status: without empty texts, and without `away`, which is a setting. */
export type StoredStatus = Omit<UserStatus, 'away'>

type EmojiRequest = Parameters<typeof requestedEmoji>[1]
type Choice = { readonly [Key in keyof EmojiRequest]?: EmojiRequest[Key] | undefined } & {
  readonly status_text?: string | undefined
}

/** The wire form of no emoji. */
const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' } as const

/** The requested change of a status. Throws BAD_REQUEST for a text that is too long or an unknown emoji. */
export function chosenStatus(
  realm: Pick<RealmProjection, 'custom_emoji'>,
  { status_text, emoji_name, emoji_code, reaction_type }: Choice,
): StatusChange {
  const text = status_text?.trim()
  if (text !== undefined && [...text].length > limits.maxStatusLength)
    throw badRequest(`status_text is too long (limit: ${limits.maxStatusLength} characters)`)
  const chosen = text === undefined ? {} : { status_text: text }
  if (emoji_name === '') return { ...chosen, ...NO_EMOJI }
  if (emoji_name === undefined) {
    if (emoji_code || reaction_type)
      throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.')
    return chosen
  }
  const requested = requestedEmoji(realm, { emoji_name, emoji_code, reaction_type })
  return { ...chosen, ...validateEmoji(realm, requested) }
}

/** The new status and the effective part of the change; null if nothing changes. */
export function changeStatus(
  before: StoredStatus,
  change: StatusChange,
): { after: StoredStatus; effective: StatusChange } | null {
  const present = { status_text: '', ...NO_EMOJI, ...before }
  const differs = (keys: readonly (keyof StatusChange)[]): boolean =>
    keys.some((key) => change[key] !== undefined && change[key] !== present[key])
  const { status_text, ...emoji } = change
  const effective = {
    ...(differs(['status_text']) ? { status_text } : {}),
    ...(differs(['emoji_name', 'emoji_code', 'reaction_type']) ? emoji : {}),
  }
  return Object.keys(effective).length === 0
    ? null
    : { after: stored({ ...before, ...effective }), effective }
}

function stored({ status_text, emoji_name, emoji_code, reaction_type }: StatusChange): StoredStatus {
  return {
    ...(status_text ? { status_text } : {}),
    ...(emoji_name && emoji_code && reaction_type ? { emoji_name, emoji_code, reaction_type } : {}),
  }
}

/** A status as others see it. */
export function showStatus(status: StoredStatus, showsPresence: boolean): UserStatus {
  return showsPresence ? status : { away: true, ...status }
}
