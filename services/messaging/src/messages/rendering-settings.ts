import type { RealmProjection, UserProjection } from '@tms/contracts'
import type { CustomEmoji } from '../rendering/directory.ts'
import type { RenderingSettings } from '../rendering/rendering-settings.ts'

/** The custom emoji of these names that may be used. */
export function customEmojiOf(realm: RealmProjection, names: readonly string[]): CustomEmoji[] {
  if (names.length === 0) return []
  const wanted = new Set(names)
  return realm.custom_emoji
    .filter(({ name, deactivated }) => !deactivated && wanted.has(name))
    .map(({ name, source_url }) => ({ name, url: source_url }))
}

/** How texts of an author are rendered; without one, as nobody's. */
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
