import Parser, { type MarkdownIt } from 'markdown-it'
import { addresses } from './rules/address.ts'
import { blockquotes } from './rules/blockquote.ts'
import { channelLinks } from './rules/channel-link.ts'
import { codeBlocks } from './rules/code-block.ts'
import { codeSpans } from './rules/code-span.ts'
import { collectUploads } from './rules/collect-uploads.ts'
import { emoji } from './rules/emoji.ts'
import { fencedContainers } from './rules/fenced-container.ts'
import { groupMentions } from './rules/group-mention.ts'
import { headings } from './rules/heading.ts'
import { inlineLinks } from './rules/inline-link.ts'
import { linkifiers } from './rules/linkifier.ts'
import { lists } from './rules/list.ts'
import { marks } from './rules/marks.ts'
import { inlineMath } from './rules/math.ts'
import { previews } from './rules/preview.ts'
import { inlineWithQuoteDepth } from './rules/quote-depth.ts'
import { tables } from './rules/table.ts'
import { textElements } from './rules/text-element.ts'
import { timestamps } from './rules/timestamp.ts'
import { userMentions } from './rules/user-mention.ts'
import { linkSafety } from './syntax/link-safety.ts'

/**
 * Disabled: raw HTML, which is escaped as text; `reference` links and `lheading`, which users type without meaning
 * them; `escape`, so that `¯\_(ツ)_/¯` and `C:\*.txt` stay as typed; `image`, because pictures are previews of links,
 * not inline; `linkify` and `autolink`, which our `addresses` rule replaces.
 */
const UNUSED_RULES = [
  'html_block',
  'html_inline',
  'reference',
  'lheading',
  'escape',
  'image',
  'linkify',
  'autolink',
]

/** Creates the parser of our dialect. It keeps no state between renderings. */
export function createParser(): MarkdownIt {
  return new Parser({ html: false, breaks: true, maxNesting: 100 })
    .disable(UNUSED_RULES)
    .use(linkSafety)
    .use(textElements)
    .use(inlineWithQuoteDepth)
    .use(headings)
    .use(lists)
    .use(blockquotes)
    .use(tables)
    .use(codeBlocks)
    .use(codeSpans)
    .use(fencedContainers)
    .use(marks)
    .use(inlineLinks)
    .use(addresses)
    .use(inlineMath)
    .use(userMentions)
    .use(groupMentions)
    .use(channelLinks)
    .use(timestamps)
    .use(linkifiers)
    .use(emoji)
    .use(collectUploads)
    .use(previews)
}
