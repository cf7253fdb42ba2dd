import { escapeHtml } from './escape-html.ts'

/** Markup that is safe to put into a page. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | false | readonly Part[]

/**
 * A markup template: inserted values are escaped, unless they are markup themselves; lists are joined, null and false
 * become nothing.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + markupOf(parts[index - 1] ?? null) + string))
}

function markupOf(part: Part): string {
  if (part === null || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(markupOf).join('')
  return escapeHtml(String(part))
}
