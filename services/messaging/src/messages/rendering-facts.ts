import type { RealmFacts, UserFacts } from '@tms/contracts'
import type { CustomEmoji } from '../rendering/directory.ts'
import { type Linkifier, plainSettings, type RenderingSettings } from '../rendering/rendering-settings.ts'

interface ToldOfRealm {
  readonly linkifiers: readonly Linkifier[]
  readonly custom_emoji: readonly {
    readonly name: string
    readonly source_url: string
    readonly deactivated: boolean
  }[]
  readonly inline_image_preview: boolean
  readonly default_code_block_language: string
}

interface ToldOfUser {
  readonly settings: { readonly translate_emoticons: boolean }
}

/** The organization's linkifiers, in their order. */
export function linkifiersOf(realm: RealmFacts & Partial<ToldOfRealm>): readonly Linkifier[] {
  return realm.linkifiers ?? plainSettings.linkifiers
}

/** The custom emoji of these names that may be used. */
export function customEmojiOf(
  realm: RealmFacts & Partial<ToldOfRealm>,
  names: readonly string[],
): CustomEmoji[] {
  return (realm.custom_emoji ?? [])
    .filter(({ name, deactivated }) => !deactivated && names.includes(name))
    .map(({ name, source_url }) => ({ name, url: source_url }))
}

/** How texts of an author are rendered; without one, as nobody's. */
export function renderingSettingsOf(
  realm: RealmFacts & Partial<ToldOfRealm>,
  author: (UserFacts & Partial<ToldOfUser>) | null,
): RenderingSettings {
  return {
    linkifiers: linkifiersOf(realm),
    realmUrl: realm.url,
    showsPreviews: realm.inline_image_preview ?? true,
    defaultCodeLanguage: realm.default_code_block_language ?? '',
    translatesEmoticons: author?.settings?.translate_emoticons ?? false,
  }
}
