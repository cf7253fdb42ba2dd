import { type Rendered, renderMarkdown } from './render-markdown.ts'
import type { RenderingJob } from './rendering-thread.ts'

/** Entry point of the thread that renders long texts. */
// The pool calls the default export of a module.
// oxlint-disable-next-line import/no-default-export
export default function renderJob({ content, lookup, settings }: RenderingJob): Rendered {
  return renderMarkdown(content, lookup, settings)
}
