import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/** A replacement of part of a text; `start` and `end` in code units. */
export interface Replacement {
  start: number
  end: number
  token: Token
}

interface Options {
  name: string
  /** Whether the texts of written links count as text; a bare address that became a link never does. */
  isInLinks: boolean
  /** Finds replacements, in order and without overlaps. */
  find: (text: string, state: StateCore) => readonly Replacement[]
}

/** Adds a rule that replaces parts of the text, after all rules with marks of their own. */
export function replaceInText(parser: MarkdownIt, { name, isInLinks, find }: Options): void {
  parser.core.ruler.push(name, (state) => {
    for (const block of state.tokens) {
      if (block.type === 'inline' && block.children) {
        block.children = replaceAll(block.children, isInLinks, state, find)
      }
    }
  })
}

function replaceAll(tokens: readonly Token[], isInLinks: boolean, state: StateCore, find: Options['find']) {
  const result: Token[] = []
  let closedLevel = 0
  for (const token of tokens) {
    const isClosed = token.info === 'auto' || !isInLinks
    if (token.type === 'link_open' && isClosed) closedLevel += 1
    if (token.type === 'link_close' && isClosed) closedLevel -= 1
    const found = token.type === 'text' && closedLevel === 0 ? find(token.content, state) : []
    if (found.length === 0) result.push(token)
    else result.push(...split(token, found, state))
  }
  return result
}

function* split(text: Token, found: readonly Replacement[], state: StateCore): Generator<Token> {
  let end = 0
  for (const replacement of found) {
    yield* plain(text, end, replacement.start, state)
    replacement.token.level = text.level
    yield replacement.token
    end = replacement.end
  }
  yield* plain(text, end, text.content.length, state)
}

function* plain(text: Token, start: number, end: number, state: StateCore): Generator<Token> {
  if (start === end) return
  const token = new state.Token('text', '', 0)
  token.content = text.content.slice(start, end)
  token.level = text.level
  yield token
}
