import { describe, expect, test } from 'vitest'
import { createDirectory, type Known } from './directory.ts'
import { knownByHtml } from './known-by-html.ts'
import { renderMarkdown } from './render-markdown.ts'

const known: Known = {
  users: [
    { userId: 5, fullName: 'Ada <A&B> "x"', isActive: true },
    { userId: 6, fullName: 'Gone', isActive: false },
    { userId: 7, fullName: 'Quiet', isActive: true },
  ],
  groups: [{ groupId: 3, name: 'Back & end' }],
  channels: [
    { channelId: 1, name: 'general' },
    { channelId: 2, name: 'a > b' },
  ],
  customEmoji: [{ name: 'green_tick', url: '/user_avatars/1/emoji/images/4.png?a&b' }],
}

describe('a text that is rendered by what its HTML says', () => {
  test.each([
    '@**Ada <A&B> "x"** and @_**ada <A&B> "x"** and @**|5**',
    '@**Gone** and @**Gone|6**',
    '> @**Quiet**\n\nand @**|7**',
    '@*back & end* @_*Back & end*',
    '#**general** #**general>t > u** #**a > b** #**a > b>c**',
    ':green_tick:',
    '@**all** @**topic** @**Nobody** #**nowhere** @*none* :no_such:',
  ])('is as it was: %s', (content) => {
    const { html } = renderMarkdown(content, createDirectory(known))

    expect(renderMarkdown(content, createDirectory(knownByHtml(content, html))).html).toBe(html)
  })

  test('mentions nobody whose name only stands in the text', () => {
    expect(knownByHtml('`@**Ada**`', '<p><code>@**Ada**</code></p>')).toEqual({
      users: [],
      groups: [],
      channels: [],
      customEmoji: [],
    })
  })
})
