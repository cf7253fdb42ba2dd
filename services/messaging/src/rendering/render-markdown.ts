import { cleanText } from './clean-text.ts'
import type { RenderingDirectory } from './directory.ts'
import { createParser } from './parser.ts'
import { createRenderContext } from './render-context.ts'
import { plainSettings, type RenderingSettings } from './rendering-settings.ts'

/** A rendered text, and whom it speaks to. */
export interface Rendered {
  html: string
  /** Active users mentioned aloud, each once, in order of first mention. */
  mentionedUserIds: number[]
  /** Groups mentioned aloud, likewise. */
  mentionedGroupIds: number[]
  mentionsChannelWildcard: boolean
  mentionsTopicWildcard: boolean
  /** Uploads that it links to, each once: what follows `/user_uploads/`. */
  uploadPathIds: string[]
}

const parser = createParser()

/**
 * Renders Markdown to HTML that is safe to show. Never throws, and is pure if the settings say when the text was written.
 *
 * It does not limit its input: callers pass at most 10,000 code points, and check the length of the HTML.
 */
export function renderMarkdown(
  content: string,
  directory: RenderingDirectory,
  settings: RenderingSettings = plainSettings,
): Rendered {
  const { context, env } = createRenderContext(directory, settings)
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
