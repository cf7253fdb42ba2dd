import type { MentionLookup } from '../kernel/rendering/mention-lookup.ts'
import type { Rendered } from '../kernel/rendering/renderer.ts'
import { plainSettings, type RenderingSettings } from '../kernel/rendering/rendering-settings.ts'
import { createParser } from './parser.ts'
import { cleanText } from './syntax/clean-text.ts'
import { createRenderContext } from './syntax/render-context.ts'

const parser = createParser()

/**
 * Renders Markdown to HTML that is safe to display. Never throws, and is pure if the settings contain the time of
 * writing. It does not limit its input: callers pass at most 10,000 code points, and check the length of the HTML.
 */
export function renderMarkdown(
  content: string,
  lookup: MentionLookup,
  settings: RenderingSettings = plainSettings,
): Rendered {
  const { context, env } = createRenderContext(lookup, settings)
  const html = parser.render(cleanText(content), env).trimEnd()
  return {
    html,
    mentionedUserIds: [...context.mentionedUserIds],
    mentionedGroupIds: [...context.mentionedGroupIds],
    mentionsChannelWildcard: context.mentionsChannelWildcard,
    mentionsTopicWildcard: context.mentionsTopicWildcard,
    uploadPathIds: [...context.uploadPathIds],
  }
}
