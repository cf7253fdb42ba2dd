import { cleanText } from './clean-text.ts'
import type { MentionLookup } from './mention-lookup.ts'
import { createParser } from './parser.ts'
import { createRenderContext } from './render-context.ts'
import { plainSettings, type RenderingSettings } from './rendering-settings.ts'

/** A rendered text with its mentions and uploads. */
export interface Rendered {
  html: string
  /** Active users with a mention that isn't silent, each once, in order of first mention. */
  mentionedUserIds: number[]
  /** Groups with a mention that isn't silent, likewise. */
  mentionedGroupIds: number[]
  mentionsChannelWildcard: boolean
  mentionsTopicWildcard: boolean
  /** Uploads that it links, each once: the part after `/user_uploads/`. */
  uploadPathIds: string[]
}

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
