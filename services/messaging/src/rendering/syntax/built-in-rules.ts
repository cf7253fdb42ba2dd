import MarkdownIt, { type StateBlock, type StateInline } from 'markdown-it'

export type BlockRule = (state: StateBlock, startLine: number, endLine: number, isSilent: boolean) => boolean
export type InlineRule = (state: StateInline, isSilent: boolean) => boolean

/** A block rule of the library, to be wrapped. The library exposes rules only as the enabled ones of a chain. */
export function builtInBlockRule(name: string): BlockRule {
  const { ruler } = new MarkdownIt().block
  ruler.enableOnly(name)
  return only(name, ruler.getRules(''))
}

/** An inline rule of the library, to be wrapped. */
export function builtInInlineRule(name: string): InlineRule {
  const { ruler } = new MarkdownIt().inline
  ruler.enableOnly(name)
  return only(name, ruler.getRules(''))
}

function only<T>(name: string, rules: T[]): T {
  const [rule] = rules
  if (rule === undefined) throw new Error(`markdown-it has no rule ${name}`)
  return rule
}
