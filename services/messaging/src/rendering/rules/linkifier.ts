import type { MarkdownIt } from 'markdown-it'
import { findLinkified } from '../syntax/linkify.ts'
import { contextOf } from '../syntax/render-context.ts'
import { replaceInText } from './replace-in-text.ts'
import { createTextElement } from './text-element.ts'

/** Links of the organization's linkifiers. */
export function linkifiers(parser: MarkdownIt): void {
  replaceInText(parser, {
    name: 'linkifiers',
    isInLinks: false,
    find: (text, state) => {
      const { linkifiers } = contextOf(state.env).settings
      return findLinkified(text, linkifiers).map(({ start, end, url }) => ({
        start,
        end,
        token: createTextElement(
          state.Token,
          'a',
          [['href', parser.normalizeLink(url)]],
          text.slice(start, end),
        ),
      }))
    },
  })
}
