import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'

const lookup = createMentionLookup({
  users: [
    { userId: 5, fullName: 'Ada Lovelace', isActive: true },
    { userId: 6, fullName: 'Gone', isActive: false },
    { userId: 7, fullName: 'Twin', isActive: false },
    { userId: 9, fullName: 'twin', isActive: true },
    { userId: 8, fullName: 'Twin', isActive: true },
    { userId: 11, fullName: 'Jan Strauß', isActive: true },
    { userId: 10, fullName: '"><img src=x>', isActive: true },
  ],
})
const render = (content: string) => renderMarkdown(content, lookup)
const ADA = '<span class="user-mention" data-user-id="5">@Ada Lovelace</span>'
const SILENT_ADA = '<span class="user-mention silent" data-user-id="5">Ada Lovelace</span>'

describe('a user mention', () => {
  test.each(['@**Ada Lovelace**', '@**ADA lovelace**', '@**Ada Lovelace|5**', '@**|5**'])(
    '%s names the user',
    (content) => {
      expect(render(content)).toMatchObject({ html: `<p>${ADA}</p>`, mentionedUserIds: [5] })
    },
  )

  test.each([
    '@**ada lovelace|5**',
    '@**Ada Lovelace|6**',
    '@**|99**',
    '@**|99999999999**',
    '@**nobody**',
    'x@**Ada Lovelace**',
    '\\@**Ada Lovelace**',
    '`@**Ada Lovelace**`',
    '```\n@**Ada Lovelace**\n```',
    '    @**Ada Lovelace**',
    '@**Ada\nLovelace**',
    '@*Ada Lovelace*',
  ])('%j is none', (content) => {
    expect(render(content).mentionedUserIds).toEqual([])
    expect(render(content).html).not.toContain('user-mention')
  })

  test.each([...'\'"({[/<', ' ', '\n'])('may follow %j', (before) => {
    expect(render(`x${before}@**|5**`).html).toContain(ADA)
  })

  test.each(['**@**|5** x**', '- @**|5**', '# @**|5**', '|a|\n|-|\n|@**Ada Lovelace**|', '[x @**|5**](/y)'])(
    'stands within %j only where text or a bracket allows it',
    (content) => {
      expect(render(content).mentionedUserIds).toEqual(content.startsWith('**') ? [] : [5])
    },
  )

  test('is silent when written so, in quotes, and for deactivated users', () => {
    expect(render('@_**Ada Lovelace**')).toMatchObject({ html: `<p>${SILENT_ADA}</p>`, mentionedUserIds: [] })
    expect(render('> @**|5**\nlazy @**|5**')).toMatchObject({ mentionedUserIds: [] })
    expect(render('```quote\n- @**|5**\n```')).toMatchObject({ mentionedUserIds: [] })
    expect(render('@**Gone**')).toMatchObject({
      html: '<p><span class="user-mention silent" data-user-id="6">Gone</span></p>',
      mentionedUserIds: [],
    })
  })

  test('is loud again after a quote, and counts once', () => {
    expect(render('> @**|5**\n\n@**|5** @**|5** @**|8**').mentionedUserIds).toEqual([5, 8])
  })

  test('of a shared name means the active user with the lowest ID', () => {
    expect(render('@**twin**').mentionedUserIds).toEqual([8])
    expect(render('@**twin|9**').mentionedUserIds).toEqual([9])
  })

  test('finds a letter that has no single upper-case form', () => {
    expect(render('@**JAN STRAUSS**').mentionedUserIds).toEqual([11])
  })

  test('escapes the name', () => {
    expect(render('@**|10**').html).toContain('>@&quot;&gt;&lt;img src=x&gt;</span>')
  })
})

describe('a wildcard mention', () => {
  test.each(['all', 'everyone', 'stream', 'channel'])('@**%s** reaches the channel', (name) => {
    expect(render(`@**${name}**`)).toMatchObject({
      html: `<p><span class="user-mention" data-user-id="*">@${name}</span></p>`,
      mentionedUserIds: [],
      mentionsChannelWildcard: true,
      mentionsTopicWildcard: false,
    })
  })

  test('@**topic** reaches the topic', () => {
    expect(render('@**topic**')).toMatchObject({
      html: '<p><span class="topic-mention">@topic</span></p>',
      mentionedUserIds: [],
      mentionsChannelWildcard: false,
      mentionsTopicWildcard: true,
    })
  })

  test.each(['@_**all** @_**topic**', '> @**all** @**topic**'])('%j reaches nobody', (content) => {
    const rendered = render(content)

    expect(rendered).toMatchObject({ mentionsChannelWildcard: false, mentionsTopicWildcard: false })
    expect(rendered.html).toContain('<span class="user-mention silent" data-user-id="*">all</span>')
    expect(rendered.html).toContain('<span class="topic-mention silent">topic</span>')
  })
})
