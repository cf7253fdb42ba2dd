import { expect, test } from 'vitest'
import { createMentionLookup } from '../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../rendering/render-markdown.ts'
import { writeAddedNotice, writeRemovedNotice } from './membership-notice.rules.ts'

const actor = { user_id: 7, full_name: 'Ann' }
const person = '<span class="user-mention silent" data-user-id="7">Ann</span>'
const known = (name: string) =>
  createMentionLookup({
    users: [{ userId: 7, fullName: 'Ann', isActive: true }],
    groups: [{ groupId: 101, name }],
  })

test('mentions actor and group silently', () => {
  const group = '<span class="user-group-mention silent" data-user-group-id="101">support</span>'

  const { html, mentionedGroupIds } = renderMarkdown(writeAddedNotice(actor, 'support'), known('support'))

  expect(html).toBe(`<p>${person} added you to the group ${group}.</p>`)
  expect(mentionedGroupIds).toEqual([])
})

test.each([
  ['*x* y', '*x* y'],
  ['*x* `y` z', '*x* `y` z'],
  ['*x* `y`', ' *x* `y` '],
])('shows a name that can’t be mentioned as code: %s', (name, shown) => {
  const { html } = renderMarkdown(writeRemovedNotice(actor, name), known(name))

  expect(html).toBe(`<p>${person} removed you from the group <code>${shown}</code>.</p>`)
})
