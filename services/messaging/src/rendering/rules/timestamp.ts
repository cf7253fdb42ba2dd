import type { MarkdownIt, StateInline } from 'markdown-it'
import { parseTime } from '../syntax/parse-time.ts'
import { contextOf } from '../syntax/render-context.ts'
import { pushTextElement } from './text-element.ts'

// The bound keeps many unclosed tags linear; no real time is nearly that long.
const TIMESTAMP = /<time:([^<>\n]{0,100})>/y

/** `<time:…>`, which clients show in the reader's time zone. */
export function timestamps(parser: MarkdownIt): void {
  parser.inline.ruler.before('autolink', 'timestamp', timestamp)
}

function timestamp(state: StateInline, isSilent: boolean): boolean {
  TIMESTAMP.lastIndex = state.pos
  const match = TIMESTAMP.exec(state.src)
  if (!match || TIMESTAMP.lastIndex > state.posMax) return false

  if (!isSilent) {
    // Clients that don't know the element show the text as typed.
    const text = match[1] ?? ''
    const time = parseTime(text, contextOf(state.env).settings.writtenAt ?? new Date())
    if (time === null) {
      pushTextElement(state, 'span', [['class', 'timestamp-error']], `Invalid time format: ${text}`)
    } else {
      pushTextElement(state, 'time', [['datetime', time]], text)
    }
  }
  state.pos += match[0].length
  return true
}
