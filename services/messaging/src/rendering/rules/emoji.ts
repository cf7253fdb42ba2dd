import { codeOfEmojiName, codeOfEmoticon, findEmoji, nameOfEmojiCode } from '@tms/emoji'
import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { readEmojiNames } from '../emoji-syntax.ts'
import { contextOf } from '../render-context.ts'
import { type Replacement, replaceInText } from './replace-in-text.ts'
import { createTextElement } from './text-element.ts'

/** Not of Unicode, yet every organization has it: the reference API's own emoji, whose name is part of the API. */
const EXTRA = { name: 'zulip', url: '/static/generated/emoji/images/emoji/unicode/zulip.png' }

const EMOTICON = /(?<!\S)\S{2,3}(?!\S)/g

/** `:name:`, emoji as such, and emoticons when the sender wants them translated. */
export function emoji(parser: MarkdownIt): void {
  replaceInText(parser, { name: 'emoji', isInLinks: true, find: findAll })
}

function findAll(text: string, state: StateCore): Replacement[] {
  const { settings } = contextOf(state.env)
  const found = [
    ...(settings.translatesEmoticons ? findEmoticons(text, state) : []),
    ...findNamed(text, state),
    ...findEmoji(text).map(({ start, end, code }) => ({ start, end, token: unicodeEmoji(state, code) })),
  ]
  return found.sort((a, b) => a.start - b.start)
}

function findEmoticons(text: string, state: StateCore): Replacement[] {
  const found: Replacement[] = []
  for (const { 0: word, index } of text.matchAll(EMOTICON)) {
    const code = codeOfEmoticon(word)
    if (code !== null)
      found.push({ start: index, end: index + word.length, token: unicodeEmoji(state, code) })
  }
  return found
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
  const custom = contextOf(state.env).directory.customEmojiByName.get(name)
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
