import type { Linkifier as LinkifierRecord, RealmProjection, UserProjection } from '@tms/contracts'
import type { CustomEmoji } from './mention-lookup.ts'

/** A pattern, RE2 with named groups, and the RFC 6570 template of the links that it makes. */
export type Linkifier = Pick<LinkifierRecord, 'pattern' | 'url_template'>

/** Settings of the organization and the sender that affect rendering. */
export interface RenderingSettings {
  /** In the order in which they are applied. */
  readonly linkifiers: readonly Linkifier[]
  /** URL of the organization without a slash at the end, by which links to its uploads are recognized. */
  readonly realmUrl: string
  readonly showsPreviews: boolean
  /** Language of code blocks without one; empty for none. */
  readonly defaultCodeLanguage: string
  readonly translatesEmoticons: boolean
  /** When the text was written: a time such as `Sunday 5pm` is relative to it. Now if left out. */
  readonly writtenAt?: Date
}

/** For texts without an author: only what all renderings have in common. */
export const plainSettings: RenderingSettings = {
  linkifiers: [],
  realmUrl: '',
  showsPreviews: false,
  defaultCodeLanguage: '',
  translatesEmoticons: false,
}

/** The active custom emoji with these names. */
export function customEmojiOf(realm: RealmProjection, names: readonly string[]): CustomEmoji[] {
  if (names.length === 0) return []
  const wanted = new Set(names)
  return realm.custom_emoji
    .filter(({ name, deactivated }) => !deactivated && wanted.has(name))
    .map(({ name, source_url }) => ({ name, url: source_url }))
}

/** Settings for rendering a text of an author; null for a text without one. */
export function renderingSettingsOf(
  realm: RealmProjection,
  author: UserProjection | null,
): RenderingSettings {
  return {
    linkifiers: realm.linkifiers,
    realmUrl: realm.url,
    showsPreviews: realm.inline_image_preview,
    defaultCodeLanguage: realm.default_code_block_language,
    translatesEmoticons: author?.settings.translate_emoticons ?? false,
  }
}
