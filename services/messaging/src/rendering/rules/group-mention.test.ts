import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'

const lookup = createMentionLookup({ groups: [{ groupId: 3, name: 'Back end' }] })
const render = (content: string) => renderMarkdown(content, lookup)

describe('a group mention', () => {
  test.each(['@*Back end*', '@*back END*'])('%s names the group', (content) => {
    expect(render(content)).toMatchObject({
      html: '<p><span class="user-group-mention" data-user-group-id="3">@Back end</span></p>',
      mentionedGroupIds: [3],
    })
  })

  test.each(['@_*Back end*', '> @*Back end*'])('is silent in %s', (content) => {
    const rendered = render(content)

    expect(rendered.html).toContain(
      '<span class="user-group-mention silent" data-user-group-id="3">Back end</span>',
    )
    expect(rendered.mentionedGroupIds).toEqual([])
  })

  test.each([
    ['@_*role:administrators*', 2, 'Administrators'],
    ['@_*Role:FullMembers*', 4, 'Full members'],
    ['> @_*role:internet*', 7, 'Everyone on the internet'],
  ])('is silent for a system group in %s', (content, id, title) => {
    expect(render(content)).toMatchObject({
      html: expect.stringContaining(
        `<span class="user-group-mention silent" data-user-group-id="${id}">${title}</span>`,
      ),
      mentionedGroupIds: [],
    })
  })

  test.each(['@*role:administrators*', '> @*role:members*', '@_*role:guests*', '@_*Administrators*'])(
    'of a system group is none as %j',
    (content) => {
      expect(render(content).html).not.toContain('group-mention')
    },
  )

  test.each(['@*nobody*', '@**Back end**', 'x@*Back end*', '`@*Back end*`', '@*Back\nend*'])(
    '%j is none',
    (content) => {
      expect(render(content).mentionedGroupIds).toEqual([])
      expect(render(content).html).not.toContain('group-mention')
    },
  )
})
