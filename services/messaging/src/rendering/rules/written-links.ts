import type { StateCore, Token } from 'markdown-it'

/** A link in the text. */
export interface WrittenLink {
  href: string
  text: string
}

/** The links of the inline tokens of a block, in order. */
export function* writtenLinks(block: Token): Generator<WrittenLink> {
  let link: WrittenLink | null = null
  for (const token of block.children ?? []) {
    if (token.type === 'link_open') link = { href: String(token.attrGet('href') ?? ''), text: '' }
    else if (token.type === 'link_close' && link) yield link
    else if (link) link.text += token.content
  }
}

/** The link that is a block's only content and shows its own address, or null. */
export function onlyBareLink(block: Token): WrittenLink | null {
  const [open, , close] = block.children ?? []
  const isOnly = block.children?.length === 3 && open?.type === 'link_open' && close?.type === 'link_close'
  if (!isOnly || open.info !== 'auto') return null
  return [...writtenLinks(block)][0] ?? null
}

/** The links of a whole message. */
export function* allLinks({ tokens }: StateCore): Generator<WrittenLink> {
  for (const token of tokens) if (token.type === 'inline') yield* writtenLinks(token)
}
