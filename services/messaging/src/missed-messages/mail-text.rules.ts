import { withoutControls } from './controls.rules.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^ \t`~]*)(.*)$/
/** Links and pictures whose address is a path of the organization. */
const RELATIVE = /\]\((?=\/(?!\/))/g

/** What stands for what a spoiler hides. */
const HIDDEN = '(Open the message to see the hidden text.)'

/** Changes the Markdown of a message for a mail: links are absolute, and what spoilers hide is left out. */
export function writeForMail(markdown: string, baseUrl: string): string {
  return hideSpoilers(withoutControls(markdown).split('\n'))
    .join('\n')
    .replace(RELATIVE, `](${baseUrl}`)
    .trim()
}

/** Replaces the bodies of spoilers. A fence in one that is open belongs to its body. */
function hideSpoilers(lines: readonly string[]): string[] {
  const result: string[] = []
  const open: { readonly markup: string; readonly isSpoiler: boolean; readonly isCode: boolean }[] = []
  const isHiding = () => open.some(({ isSpoiler }) => isSpoiler)
  for (const line of lines) {
    const match = FENCE.exec(line)
    const innermost = open.at(-1)
    const [markup = '', label = '', rest = ''] = match ? match.slice(1) : []
    if (match && innermost && label === '' && markup === innermost.markup) {
      open.pop()
      if (!isHiding() && !innermost.isSpoiler) result.push(line)
    } else if (match && !innermost?.isCode) {
      const wasHiding = isHiding()
      const isSpoiler = label.toLowerCase() === 'spoiler'
      const isQuote = ['quote', 'quoted'].includes(label.toLowerCase())
      open.push({ markup, isSpoiler, isCode: !isSpoiler && !isQuote })
      if (wasHiding) continue
      if (isSpoiler) result.push(...(rest.trim() === '' ? [] : [rest.trim()]), HIDDEN)
      else result.push(line)
    } else if (!isHiding()) result.push(line)
  }
  return result
}
