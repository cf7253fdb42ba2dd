import { describe, expect, test } from '@jest/globals'
import { widgetOf } from './widget.rules.ts'

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
