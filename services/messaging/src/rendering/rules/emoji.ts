import { codeOfEmojiName, codeOfEmoticon, type FoundEmoji, findEmoji, nameOfEmojiCode } from '@tms/emoji'
import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { readEmojiNames } from '../syntax/emoji-syntax.ts'
import { contextOf } from '../syntax/render-context.ts'
import { type Replacement, replaceInText } from './replace-in-text.ts'
import { createTextElement } from './text-element.ts'

/** Not in Unicode, yet every organization has it: the reference API's own emoji, whose name is part of the API. */
const EXTRA = { name: 'zulip', url: '/static/generated/emoji/images/emoji/unicode/zulip.png' }

/** Characters that may surround emoticons, besides spaces. */
const BESIDE_EMOTICON = `\\s,.;?!()[\\]"'`
const EMOTICON_START = new RegExp(`(?<![^${BESIDE_EMOTICON}])(?=\\S{2})`, 'g')
const EMOTICON_END = new RegExp(`(?![^${BESIDE_EMOTICON}])`, 'y')
/** In code units, the longest first. */
const EMOTICON_LENGTHS = [3, 2]

/** Characters that continue an emoji sequence. */
const GOES_ON = /(?:\p{EMod}|\u200D\p{Emoji}|[\u{E0020}-\u{E007F}])/uy
/** Clients have no pictures of skin tones, nor of single regional indicators. */
const NOT_PICTURED = /^1f1[ef][0-9a-f]$|(?:^|-)1f3f[b-f](?:-|$)/

/** `:name:`, Unicode emoji, and emoticons if the sender wants them translated. */
export function emoji(parser: MarkdownIt): void {
  replaceInText(parser, { name: 'emoji', isInLinks: true, find: findAll })
}

function findAll(text: string, state: StateCore): Replacement[] {
  const { settings } = contextOf(state.env)
  const found = [
    ...(settings.translatesEmoticons ? findEmoticons(text, state) : []),
    ...findNamed(text, state),
    ...findWhole(text).map(({ start, end, code }) => ({ start, end, token: unicodeEmoji(state, code) })),
  ]
  return found.sort((a, b) => a.start - b.start)
}

/** Emoji that are a whole sequence: one that is only part of a sequence is left to the reader's font. */
function findWhole(text: string): FoundEmoji[] {
  return findEmoji(text).filter(({ start, end, code }) => {
    GOES_ON.lastIndex = end
    return !NOT_PICTURED.test(code) && text.charAt(start - 1) !== '\u200D' && !GOES_ON.test(text)
  })
}

function findEmoticons(text: string, state: StateCore): Replacement[] {
  const found: Replacement[] = []
  let end = 0
  for (const { index: start } of text.matchAll(EMOTICON_START)) {
    const length = start < end ? undefined : EMOTICON_LENGTHS.find((one) => isEmoticon(text, start, one))
    const code = length === undefined ? null : codeOfEmoticon(text.slice(start, start + length))
    if (length === undefined || code === null) continue
    end = start + length
    found.push({ start, end, token: unicodeEmoji(state, code) })
  }
  return found
}

function isEmoticon(text: string, start: number, length: number): boolean {
  EMOTICON_END.lastIndex = start + length
  return codeOfEmoticon(text.slice(start, start + length)) !== null && EMOTICON_END.test(text)
}

function findNamed(text: string, state: StateCore): Replacement[] {
  const found: Replacement[] = []
  let end = 0
  for (const written of readEmojiNames(text)) {
    if (written.start < end) continue
    const token = namedEmoji(state, written.name)
    if (token === null) continue
    found.push({ start: written.start, end: written.end, token })
    end = written.end
  }
  return found
}

function namedEmoji(state: StateCore, name: string): Token | null {
  const custom = contextOf(state.env).lookup.customEmojiByName.get(name)
  if (custom) return picture(state, custom)
  if (name === EXTRA.name) return picture(state, EXTRA)
  const code = codeOfEmojiName(name)
  return code === null ? null : unicodeEmoji(state, code, name)
}

function picture({ Token }: StateCore, { name, url }: { name: string; url: string }): Token {
  const token = new Token('custom_emoji', 'img', 0)
  token.attrs = [
    ['alt', `:${name}:`],
    ['class', 'emoji'],
    ['src', url],
    ['title', name.replaceAll('_', ' ')],
  ]
  return token
}

function unicodeEmoji({ Token }: StateCore, code: string, name = nameOfEmojiCode(code) ?? code): Token {
  const label = name.replaceAll('_', ' ')
  return createTextElement(
    Token,
    'span',
    [
      ['aria-label', label],
      ['class', `emoji emoji-${code}`],
      ['role', 'img'],
      ['title', label],
    ],
    `:${name}:`,
  )
}
