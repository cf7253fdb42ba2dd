import { type Rendered, renderMarkdown } from './render-markdown.ts'
import type { RenderingJob } from './rendering-thread.ts'

/** What the thread for long texts does. */
// The pool calls what a module exports by default.
// oxlint-disable-next-line import/no-default-export
export default function renderJob({ content, directory, settings }: RenderingJob): Rendered {
  return renderMarkdown(content, directory, settings)
}
