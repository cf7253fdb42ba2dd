import { describe, expect, test } from 'vitest'
import { findWidget, isWidget, parseWidget, type Widget } from './widget.rules.ts'

const sent: Widget = { widget_type: 'poll', extra_data: { question: 'Tea?', options: [] } }

describe('a message', () => {
  test('shows the widget of the request, rather than the one in its text', () => {
    expect(findWidget('/todo Party', sent)).toBe(sent)
    expect(findWidget('/todo Party', undefined)).toMatchObject({ widget_type: 'todo' })
    expect(findWidget('hello', undefined)).toBeNull()
  })

  test('rejects a widget that is longer than a message', () => {
    const long: Widget = { widget_type: 'poll', extra_data: { question: 'x'.repeat(10_000), options: [] } }
    expect(() => findWidget('hello', long)).toThrow('widget_content is too long')
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
  ])('parses %j as the question %j with the options %j', (content, question, options) => {
    expect(parseWidget(content)).toEqual({ widget_type: 'poll', extra_data: { question, options } })
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
  ])('parses %j as the title %j with the tasks %j', (content, task_list_title, tasks) => {
    expect(parseWidget(content)).toEqual({ widget_type: 'todo', extra_data: { task_list_title, tasks } })
  })
})

test.each(['', 'poll', '/polls', '/pollx', '/POLL a', ' /poll a', '/me polls', 'see /poll', '//poll'])(
  '%j is a plain message',
  (content) => {
    expect(parseWidget(content)).toBeNull()
  },
)
