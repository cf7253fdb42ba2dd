import type { RealmProjection, UserProjection } from '@tms/contracts'
import type { CustomEmoji } from '../rendering/mention-lookup.ts'
import type { RenderingSettings } from '../rendering/rendering-settings.ts'

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
