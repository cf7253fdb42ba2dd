import { describe, expect, test } from 'vitest'
import { findReferences } from './find-references.ts'

describe('references', () => {
  test('are listed once each, by kind', () => {
    const found = findReferences(
      '@**Ada** > @_**ada** @**Bob|5** @**|6** #**general** #**general>topic** #**team>@5** #**team>x@y@5** `@**Cy**` @*Team* :smile:x:' +
        ' /user_uploads/2/ab/0123456789abcdefABCDEF-_/a.png',
    )

    expect(found).toEqual({
      userNames: ['ada', 'cy'],
      userIds: [5, 6],
      channelNames: ['general', 'general>topic', 'team>@5', 'team', 'team>x@y@5'],
      topics: [{ channelName: 'general', topic: 'topic' }],
      groupNames: ['team'],
      emojiNames: ['smile', 'x'],
      uploadPathIds: ['2/ab/0123456789abcdefABCDEF-_/a.png'],
    })
  })

  test('leave out wildcards and IDs that no user can have', () => {
    expect(findReferences('@**all** @**topic** @**|4294967296**')).toEqual({
      userNames: [],
      userIds: [],
      channelNames: [],
      topics: [],
      groupNames: [],
      emojiNames: [],
      uploadPathIds: [],
    })
  })

  test('are found after an unclosed name', () => {
    expect(findReferences('@**a @**Bob**').userNames).toContain('bob')
  })

  test('are read both ways if a table cell may have an escaped pipe', () => {
    expect(findReferences('@**Ada\\|5** #**a\\|b**')).toMatchObject({
      userIds: [5],
      channelNames: ['a\\|b', 'a|b'],
    })
  })
})
