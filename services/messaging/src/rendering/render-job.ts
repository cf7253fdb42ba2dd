import type { Rendered, RenderingJob } from '../kernel/rendering/renderer.ts'
import { renderMarkdown } from './render-markdown.ts'

/** Entry point of the thread that renders long texts. */
// The pool calls the default export of a module.
// oxlint-disable-next-line import/no-default-export
export default function renderJob({ content, lookup, settings }: RenderingJob): Rendered {
  return renderMarkdown(content, lookup, settings)
}
