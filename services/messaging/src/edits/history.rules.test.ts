import { expect, test } from 'vitest'
import { versionsOf } from './history.rules.ts'

const message = { senderId: 5, timestamp: 100, topic: 'tea', content: 'c', html: '<p>c</p>' }

test('a message that never changed has one version', () => {
  expect([...versionsOf({ ...message, history: [] })]).toEqual([
    { user_id: 5, timestamp: 100, topic: 'tea', content: 'c', rendered_content: '<p>c</p>' },
  ])
})

test('each version has its text and topic, and its change', () => {
  const history = [
    { user_id: 6, timestamp: 300, prev_topic: 'lunch', topic: 'tea', prev_stream: 1, stream: 2 },
    { user_id: 5, timestamp: 200, prev_content: 'b', prev_rendered_content: '<p>b</p>' },
  ]
  expect([...versionsOf({ ...message, history })].reverse()).toEqual([
    { user_id: 5, timestamp: 100, topic: 'lunch', content: 'b', rendered_content: '<p>b</p>' },
    {
      user_id: 5,
      timestamp: 200,
      topic: 'lunch',
      content: 'c',
      rendered_content: '<p>c</p>',
      prev_content: 'b',
      prev_rendered_content: '<p>b</p>',
      content_html_diff:
        '<p><span class="highlight_text_deleted">b</span><span class="highlight_text_inserted">c</span></p>',
    },
    {
      user_id: 6,
      timestamp: 300,
      topic: 'tea',
      content: 'c',
      rendered_content: '<p>c</p>',
      prev_topic: 'lunch',
      prev_stream: 1,
      stream: 2,
    },
  ])
})
