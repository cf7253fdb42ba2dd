import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import type { MeasuredPicture } from '../../kernel/rendering/mention-lookup.ts'
import { type LinkTarget, linkTarget, linkTitle, uploadPathId } from '../syntax/link-targets.ts'
import { contextOf } from '../syntax/render-context.ts'
import { allLinks, onlyBareLink, writtenLinks } from './written-links.ts'

const TYPE = 'preview'

/** A message with more links than this is a list of links, and gets no previews. */
const MAX_URLS = 24

const CELLS: ReadonlySet<string> = new Set(['th_open', 'td_open'])

type ShownTarget = Exclude<LinkTarget, { kind: 'other' }>

// Not an interface: a token's `meta` takes only types with an index signature.
type Preview = { href: string; title: string; target: ShownTarget; picture: MeasuredPicture | null }

/**
 * Previews of pictures and videos that the message links, each once, below the block that links them; not in quotes.
 * Those of a table are below the whole table, because clients expect only text in its cells.
 */
export function previews(parser: MarkdownIt): void {
  parser.core.ruler.push('previews', addPreviews)
  const { escapeHtml } = parser.utils
  parser.renderer.rules[TYPE] = (tokens, index) => {
    const preview = tokens[index]?.meta as Preview | null | undefined
    if (!preview) return ''
    const { href, title, target, picture } = preview
    const url = escapeHtml(href)
    const link = `<a href="${url}" title="${escapeHtml(title)}">`
    switch (target.kind) {
      case 'image':
        return `<div class="message_inline_image">${link}<img${originalOf(picture, escapeHtml)} src="${escapeHtml(target.source ?? href)}"></a></div>\n`
      case 'video':
        return `<div class="message_inline_image message_inline_video">${link}<video preload="metadata" src="${url}"></video></a></div>\n`
      case 'youtube':
        return `<div class="youtube-video message_inline_image"><a data-id="${target.videoId}" href="${url}"><img src="https://i.ytimg.com/vi/${target.videoId}/mqdefault.jpg"></a></div>\n`
    }
  }
}

/** With dimensions, clients reserve space for a picture before it is loaded; the type tells whether they can show it. */
function originalOf(picture: MeasuredPicture | null, escapeHtml: (text: string) => string): string {
  if (!picture) return ''
  const { contentType, width, height } = picture
  return ` data-original-content-type="${escapeHtml(contentType)}" data-original-dimensions="${width}x${height}"`
}

function addPreviews(state: StateCore): void {
  if (!contextOf(state.env).settings.showsPreviews) return
  const urls = new Set([...allLinks(state)].map(({ href }) => href))
  if (urls.size === 0 || urls.size > MAX_URLS) return

  const result: Token[] = []
  const shownUrls = new Set<string>()
  let ofTable: Token[] = []
  let quoteDepth = 0
  // A block's text token is between the tokens of its two tags.
  let isWithPrevious = false
  for (const [index, token] of state.tokens.entries()) {
    if (isWithPrevious) {
      isWithPrevious = false
      continue
    }
    if (token.type === 'blockquote_open') quoteDepth += 1
    if (token.type === 'blockquote_close') quoteDepth -= 1
    const shown = token.type === 'inline' && quoteDepth === 0 ? previewsOf(token, shownUrls, state) : []
    const [open, close] = [state.tokens[index - 1], state.tokens[index + 1]]
    if (token.type === 'table_close') {
      result.push(token, ...ofTable)
      ofTable = []
      continue
    }
    if (shown.length === 0 || !open || !close) {
      result.push(token)
      continue
    }
    if (CELLS.has(open.type)) {
      result.push(token)
      ofTable.push(...shown)
      continue
    }
    isWithPrevious = true
    if (isReplaced(open, token)) result.splice(-1, 1, ...shown)
    else if (open.type === 'paragraph_open' || open.type === 'heading_open')
      result.push(token, close, ...shown)
    else result.push(token, ...shown, close)
  }
  state.tokens = result
}

/** Whether a paragraph is nothing but the address of the shown picture or video. */
function isReplaced(open: Token, block: Token): boolean {
  const link = open.type === 'paragraph_open' ? onlyBareLink(block) : null
  return link !== null && linkTarget(link.href).kind !== 'youtube'
}

function previewsOf(block: Token, shownUrls: Set<string>, { Token, env }: StateCore): Token[] {
  const { lookup, settings } = contextOf(env)
  const shown: Token[] = []
  for (const { href, text } of writtenLinks(block)) {
    const target = linkTarget(href)
    if (target.kind === 'other' || shownUrls.has(href)) continue
    shownUrls.add(href)
    const picture = lookup.picturesByPathId.get(uploadPathId(href, settings.realmUrl) ?? '') ?? null
    const preview: Preview = { href, title: text === href ? linkTitle(href) : text, target, picture }
    const token = new Token(TYPE, '', 0)
    token.block = true
    token.meta = preview
    shown.push(token)
  }
  return shown
}
