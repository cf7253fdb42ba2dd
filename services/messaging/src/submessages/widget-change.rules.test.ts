import { describe, expect, test } from 'vitest'
import { parseWidget } from './widget.rules.ts'
import { checkWidgetChange } from './widget-change.rules.ts'

const poll = JSON.stringify(parseWidget('/poll Lunch?\nPizza'))
const todo = JSON.stringify(parseWidget('/todo Party\ncake'))
const check =
  (begin: string, change: unknown, isAuthor = false) =>
  () =>
    checkWidgetChange(begin, JSON.stringify(change), { isAuthor })

describe('everyone may', () => {
  test.each([
    [poll, { type: 'vote', key: 'canned,0', vote: 1 }],
    [poll, { type: 'vote', key: '7,1', vote: -1 }],
    [poll, { type: 'new_option', option: 'Soup', idx: 1 }],
    [todo, { type: 'new_task', key: 2, task: 'music', desc: '', completed: false }],
    [todo, { type: 'strike', key: '0,canned' }],
  ])('change %s by %j', (begin, change) => {
    expect(check(begin, change)).not.toThrow()
  })
})

test.each([
  [poll, { type: 'question', question: 'Dinner?' }],
  [todo, { type: 'new_task_list_title', title: 'Feast' }],
])('only its author changes %s by %j', (begin, change) => {
  expect(check(begin, change, true)).not.toThrow()
  expect(check(begin, change)).toThrow(/^Only the author/)
})

describe('nobody may', () => {
  test.each([
    [poll, {}, /takes a type of vote, new_option, question$/],
    [poll, null, /takes a type/],
    [poll, [], /takes a type/],
    [poll, 'vote', /takes a type/],
    [poll, { type: 'strike', key: '0' }, /takes a type/],
    [poll, { type: ['vote'] }, /takes a type/],
    [poll, { type: 'constructor' }, /takes a type/],
    [poll, { type: 'vote', key: '1,1', vote: 2 }, /vote/],
    [poll, { type: 'vote', key: 1, vote: 1 }, /key/],
    [poll, { type: 'vote', key: '1,1' }, /vote/],
    [poll, { type: 'vote', key: '1,1', vote: 1, user: 7 }, /user/],
    [poll, { type: 'new_option', option: 1, idx: 1 }, /option/],
    [poll, { type: 'new_option', option: 'x', idx: 1.5 }, /idx/],
    [todo, { type: 'new_task', key: 2, task: 'music', desc: '' }, /completed/],
    [todo, { type: 'vote', key: '1,1', vote: 1 }, /takes a type of new_task, strike, new_task_list_title$/],
  ])('change %s by %j', (begin, change, message) => {
    expect(check(begin, change, true)).toThrow(message)
  })
})

test.each(['{}', 'null', '[]', '"poll"', '{"widget_type":"zform"}', '{"widget_type":["poll"]}'])(
  'anything may follow %s',
  (begin) => {
    expect(check(begin, { anything: 1 })).not.toThrow()
  },
)
