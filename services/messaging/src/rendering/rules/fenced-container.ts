import type { MarkdownIt, StateBlock } from 'markdown-it'
import { lineIndent } from '../syntax/block-lines.ts'
import { containerOf, type Fence, findFenceEnd, readFence } from '../syntax/fences.ts'
import { limitNesting } from './nesting-limit.ts'

/**
 * Fences labelled `quote` or `spoiler`, which contain Markdown instead of code. The elements of a spoiler have nothing
 * between them, not even line ends: the mobile app rejects a block with more than header and content.
 */
export function fencedContainers(parser: MarkdownIt): void {
  Object.assign(parser.renderer.rules, {
    spoiler_open: () => '<div class="spoiler-block">',
    spoiler_header_open: () => '<div class="spoiler-header">\n',
    spoiler_header_close: () => '</div>',
    spoiler_content_open: () => '<div class="spoiler-content" aria-hidden="true">\n',
    spoiler_content_close: () => '</div>',
    spoiler_close: () => '</div>\n',
  })
  parser.block.ruler.before('fence', 'fenced_container', limitNesting(fencedContainer), {
    alt: ['paragraph', 'blockquote', 'list'],
  })
}

function fencedContainer(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const fence = lineIndent(state, startLine) < 4 ? readFence(state, startLine) : null
  const container = fence && containerOf(fence)
  if (!fence || !container) return false
  if (isSilent) return true

  const end = findFenceEnd(state, fence, startLine + 1, endLine)
  if (container === 'spoiler') {
    pushSpoiler(state, fence, startLine, end.line)
  } else {
    state.push('blockquote_open', 'blockquote', 1).map = [startLine, end.line]
    parseWithin(state, startLine + 1, end.line)
    state.push('blockquote_close', 'blockquote', -1)
  }
  state.line = end.isClosed ? end.line + 1 : end.line
  return true
}

function pushSpoiler(state: StateBlock, fence: Fence, startLine: number, endLine: number): void {
  state.push('spoiler_open', 'div', 1).map = [startLine, endLine]

  state.push('spoiler_header_open', 'div', 1)
  if (fence.rest !== '') {
    state.push('paragraph_open', 'p', 1)
    const header = state.push('inline', '', 0)
    header.content = fence.rest
    header.map = [startLine, startLine + 1]
    header.children = []
    state.push('paragraph_close', 'p', -1)
  }
  state.push('spoiler_header_close', 'div', -1)

  state.push('spoiler_content_open', 'div', 1)
  parseWithin(state, startLine + 1, endLine)
  state.push('spoiler_content_close', 'div', -1)

  state.push('spoiler_close', 'div', -1)
}

function parseWithin(state: StateBlock, startLine: number, endLine: number): void {
  const { lineMax, parentType } = state
  state.lineMax = endLine
  state.parentType = 'fenced_container'
  state.md.block.tokenize(state, startLine, endLine)
  state.lineMax = lineMax
  state.parentType = parentType
}
