import type { RealmProjection } from '@tms/contracts'
import { createMentionLookup } from '../kernel/rendering/mention-lookup.ts'
import { customEmojiOf, renderingSettingsOf } from '../kernel/rendering/rendering-settings.ts'
import { findReferences } from '../rendering/find-references.ts'
import { renderMarkdown } from '../rendering/render-markdown.ts'

/**
 * Renders the description of a channel. It contains no mentions, links to channels or previews: it is read long
 * after it was written, and next to other content.
 */
export function renderDescription(realm: RealmProjection, description: string): string {
  const { emojiNames } = findReferences(description)
  const projections = createMentionLookup({ customEmoji: customEmojiOf(realm, emojiNames) })
  const settings = { ...renderingSettingsOf(realm, null), showsPreviews: false }
  return renderMarkdown(description, projections, settings).html
}
