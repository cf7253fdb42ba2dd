import { cleanText } from './clean-text.ts'
import type { RenderingDirectory } from './directory.ts'
import { createParser } from './parser.ts'
import { createRenderContext } from './render-context.ts'

/** A rendered text, and whom it speaks to. */
export interface Rendered {
  html: string
  /** Active users mentioned aloud, each once, in order of first mention. */
  mentionedUserIds: number[]
  mentionsChannelWildcard: boolean
  mentionsTopicWildcard: boolean
}

const parser = createParser()

/**
 * Renders Markdown to HTML that is safe to show. Pure, and never throws.
 *
 * It does not limit its input: callers pass at most 10,000 code points, and check the length of the HTML.
 */
export function renderMarkdown(content: string, directory: RenderingDirectory): Rendered {
  const { context, env } = createRenderContext(directory)
  const html = parser.render(cleanText(content), env).trimEnd()
  return {
    html,
    mentionedUserIds: [...context.mentionedUserIds],
    mentionsChannelWildcard: context.mentionsChannelWildcard,
    mentionsTopicWildcard: context.mentionsTopicWildcard,
  }
}
