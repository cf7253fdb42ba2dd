import { describe, expect, test } from 'vitest'
import { isWidget, type Widget, widgetOf, widgetToSend } from './widget.rules.ts'

const sent: Widget = { widget_type: 'poll', extra_data: { question: 'Tea?', options: [] } }

describe('a message', () => {
  test('shows the widget that it is sent with, rather than the one that its text asks for', () => {
    expect(widgetToSend('/todo Party', sent)).toBe(sent)
    expect(widgetToSend('/todo Party', undefined)).toMatchObject({ widget_type: 'todo' })
    expect(widgetToSend('hello', undefined)).toBeNull()
  })

  test('takes no widget that is longer than a message', () => {
    const long: Widget = { widget_type: 'poll', extra_data: { question: 'x'.repeat(10_000), options: [] } }
    expect(() => widgetToSend('hello', long)).toThrow('widget_content is too long')
  })
})

test.each([
  [JSON.stringify(sent), true],
  ['{"type":"vote","key":"canned,0","vote":1}', false],
  ['"widget_type"', false],
  ['null', false],
])('the submessage %s is a widget: %s', (content, expected) => {
  expect(isWidget(content)).toBe(expected)
})

describe('/poll', () => {
  test.each([
    ['/poll', '', []],
    ['/poll Lunch?', 'Lunch?', []],
    ['/poll   Lunch?  \nPizza\n\n  - Soup \n* Cake\n-', 'Lunch?', ['Pizza', 'Soup', 'Cake']],
    ['/poll\nPizza\r\nSoup', '', ['Pizza', 'Soup']],
    ['/poll a\n- - b', 'a', ['- b']],
  ])('%j asks %j with %j', (content, question, options) => {
    expect(widgetOf(content)).toEqual({ widget_type: 'poll', extra_data: { question, options } })
  })
})

describe('/todo', () => {
  test.each([
    ['/todo', '', []],
    [
      '/todo Party\n- cake: with candles: many\n* music\n: nothing',
      'Party',
      [
        { task: 'cake', desc: 'with candles: many' },
        { task: 'music', desc: '' },
        { task: '', desc: 'nothing' },
      ],
    ],
  ])('%j lists under %j: %j', (content, task_list_title, tasks) => {
    expect(widgetOf(content)).toEqual({ widget_type: 'todo', extra_data: { task_list_title, tasks } })
  })
})

test.each(['', 'poll', '/polls', '/pollx', '/POLL a', ' /poll a', '/me polls', 'see /poll', '//poll'])(
  '%j is a plain message',
  (content) => {
    expect(widgetOf(content)).toBeNull()
  },
)
