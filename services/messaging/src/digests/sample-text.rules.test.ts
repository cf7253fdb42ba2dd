import { expect, test } from 'vitest'
import { shortened } from './sample-text.rules.ts'

test('a short message is shown as it is', () => {
  const sample = { text: '**hello**', html: '<p><strong>hello</strong></p>' }
  expect(shortened(sample)).toEqual(sample)
})

test('of a long message the beginning is shown, without formatting', () => {
  const { text, html } = shortened({ text: `a <b>\n${'🐙'.repeat(700)}`, html: '<p>all of it</p>' })
  expect(text).toBe(`a <b>\n${'🐙'.repeat(594)}…`)
  expect(html).toBe(`<p>a &lt;b&gt;<br>\n${'🐙'.repeat(594)}…</p>`)
})
