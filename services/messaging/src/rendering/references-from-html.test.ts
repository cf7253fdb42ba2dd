import { describe, expect, test } from 'vitest'
import { createMentionLookup, type ResolvedReferences } from '../kernel/rendering/mention-lookup.ts'
import { referencesFromHtml } from './references-from-html.ts'
import { renderMarkdown } from './render-markdown.ts'

const known: ResolvedReferences = {
  users: [
    { userId: 5, fullName: 'Ada <A&B> "x"', isActive: true },
    { userId: 6, fullName: 'Gone', isActive: false },
    { userId: 7, fullName: 'Quiet', isActive: true },
  ],
  groups: [{ groupId: 103, name: 'Back & end' }],
  channels: [
    { channelId: 1, name: 'general' },
    { channelId: 2, name: 'a > b' },
  ],
  topics: [
    { channelId: 1, topic: 't > <u>.', firstMessageId: 70 },
    { channelId: 2, topic: '', firstMessageId: 71 },
  ],
  customEmoji: [{ name: 'green_tick', url: '/user_avatars/1/emoji/images/4.png?a&b' }],
}

describe('a text that is rendered again with the references of its HTML', () => {
  test.each([
    '@**Ada <A&B> "x"** and @_**ada <A&B> "x"** and @**|5**',
    '@**Gone** and @**Gone|6**',
    '> @**Quiet**\n\nand @**|7**',
    '@*back & end* @_*Back & end* @_*role:fullmembers*',
    '#**general** #**general>t > u** #**a > b** #**a > b>c**',
    '#**general>T > <u>.** #**a > b>** #**general>general chat** #**a > b>c@7** #**a > b>@7**',
    ':green_tick:',
    '@**all** @**topic** @**Nobody** #**nowhere** @*none* :no_such:',
  ])('gives the same HTML: %s', (content) => {
    const { html } = renderMarkdown(content, createMentionLookup(known))

    expect(renderMarkdown(content, createMentionLookup(referencesFromHtml(content, html))).html).toBe(html)
  })

  test('mentions nobody whose name only occurs in the text', () => {
    expect(referencesFromHtml('`@**Ada**`', '<p><code>@**Ada**</code></p>')).toEqual({
      users: [],
      groups: [],
      channels: [],
      topics: [],
      customEmoji: [],
    })
  })
})
