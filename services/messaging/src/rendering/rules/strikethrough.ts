import type { MarkdownIt } from 'markdown-it'

/** `~~text~~` as `del`, where the library would write `s`. */
export function strikethrough(parser: MarkdownIt): void {
  parser.renderer.rules.s_open = () => '<del>'
  parser.renderer.rules.s_close = () => '</del>'
}
