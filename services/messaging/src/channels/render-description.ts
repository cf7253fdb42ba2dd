import type { RealmProjection } from '@tms/contracts'
import { customEmojiOf, renderingSettingsOf } from '../messages/rendering-settings.ts'
import { createDirectory } from '../rendering/directory.ts'
import { findReferences } from '../rendering/find-references.ts'
import { renderMarkdown } from '../rendering/render-markdown.ts'

/**
 * The description of a channel as HTML. It mentions nobody, links to no channel and has no previews: it is read long
 * after it was written, and beside other things.
 */
export function renderDescription(realm: RealmProjection, description: string): string {
  const { emojiNames } = findReferences(description)
  const directory = createDirectory({ customEmoji: customEmojiOf(realm, emojiNames) })
  const settings = { ...renderingSettingsOf(realm, null), showsPreviews: false }
  return renderMarkdown(description, directory, settings).html
}
