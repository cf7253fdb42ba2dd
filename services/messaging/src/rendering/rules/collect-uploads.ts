import type { MarkdownIt } from 'markdown-it'
import { uploadPathId } from '../syntax/link-targets.ts'
import { contextOf } from '../syntax/render-context.ts'
import { allLinks } from './written-links.ts'

/** Collects the uploads that the message links. */
export function collectUploads(parser: MarkdownIt): void {
  parser.core.ruler.push('link_marks', (state) => {
    const context = contextOf(state.env)
    for (const { href } of allLinks(state)) {
      const pathId = uploadPathId(href, context.settings.realmUrl)
      if (pathId !== null) context.uploadPathIds.add(pathId)
    }
  })
}
