import type { MarkdownIt } from 'markdown-it'
import { uploadPathId } from '../link-targets.ts'
import { contextOf } from '../render-context.ts'
import { allLinks } from './written-links.ts'

/** Notes the uploads that the message links to. */
export function linkMarks(parser: MarkdownIt): void {
  parser.core.ruler.push('link_facts', (state) => {
    const context = contextOf(state.env)
    for (const { href } of allLinks(state)) {
      const pathId = uploadPathId(href, context.settings.realmUrl)
      if (pathId !== null) context.uploadPathIds.add(pathId)
    }
  })
}
