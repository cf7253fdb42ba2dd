import { badRequest, limits, type RealmProjection, type StatusChange, type UserStatus } from '@tms/contracts'
import { requestedEmoji, validateEmoji } from '@tms/emoji'

/** A status as it is stored: without empty texts, and without `away`, which is a setting. */
export type StoredStatus = Omit<UserStatus, 'away'>

type Asked = Parameters<typeof requestedEmoji>[1]
type Choice = { readonly [Key in keyof Asked]?: Asked[Key] | undefined } & {
  readonly status_text?: string | undefined
}

/** How clients are told that there is no emoji. */
const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' } as const

/** What a client wants another in a status. Throws BAD_REQUEST for a text too long or an emoji that there isn't. */
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
  const asked = requestedEmoji(realm, { emoji_name, emoji_code, reaction_type })
  return { ...chosen, ...validateEmoji(realm, asked) }
}

/** A status after a change, and what of the change is news; null if nothing is. */
export function changeStatus(
  before: StoredStatus,
  change: StatusChange,
): { after: StoredStatus; news: StatusChange } | null {
  const present = { status_text: '', ...NO_EMOJI, ...before }
  const isNews = (keys: readonly (keyof StatusChange)[]): boolean =>
    keys.some((key) => change[key] !== undefined && change[key] !== present[key])
  const { status_text, ...emoji } = change
  const news = {
    ...(isNews(['status_text']) ? { status_text } : {}),
    ...(isNews(['emoji_name', 'emoji_code', 'reaction_type']) ? emoji : {}),
  }
  return Object.keys(news).length === 0 ? null : { after: stored({ ...before, ...news }), news }
}

function stored({ status_text, emoji_name, emoji_code, reaction_type }: StatusChange): StoredStatus {
  return {
    ...(status_text ? { status_text } : {}),
    ...(emoji_name && emoji_code && reaction_type ? { emoji_name, emoji_code, reaction_type } : {}),
  }
}

/** A status as everyone sees it. */
export function showStatus(status: StoredStatus, showsPresence: boolean): UserStatus {
  return showsPresence ? status : { away: true, ...status }
}
