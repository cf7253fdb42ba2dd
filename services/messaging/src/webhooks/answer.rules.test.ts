import { WebhookInterface } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { parseAnswer } from './answer.rules.ts'

const { generic, slack } = WebhookInterface
const parse = (body: unknown, serviceInterface: number = generic) =>
  parseAnswer({ status: 200, body: JSON.stringify(body) }, serviceInterface)
const reply = (content: string, widget: unknown = null) => ({ kind: 'reply', content, widget })
const form = { widget_type: 'poll', extra_data: { question: 'Tea?', options: [] } }
const NO_REPLY = { kind: 'no_reply' }

describe('the answer of an outgoing webhook', () => {
  test.each([
    ['content', { content: 'yes' }, reply('yes')],
    ['the older response_string', { response_string: 'yes' }, reply('yes')],
    ['response_string before content', { response_string: 'yes', content: 'no' }, reply('yes')],
    ['content with half a surrogate pair replaced', { content: 'a\ud83d!' }, reply('a\ufffd!')],
    ['a form', { content: 'yes', widget_content: form }, reply('yes', form)],
    ['a form in JSON', { content: 'yes', widget_content: JSON.stringify(form) }, reply('yes', form)],
    ['no form for an empty one', { content: 'yes', widget_content: '' }, reply('yes')],
    ['no reply if it says so', { response_not_required: true, content: 'yes' }, NO_REPLY],
    ['no reply for a blank text', { content: ' \n' }, NO_REPLY],
    ['no reply for null', { content: null }, NO_REPLY],
    ['no reply for an empty object', {}, NO_REPLY],
    ['no reply for an empty string', '', NO_REPLY],
    ['no reply for a field of Slack’s format', { text: 'yes' }, NO_REPLY],
  ])('is read as %s', (_, body, meaning) => {
    expect(parse(body)).toEqual(meaning)
  })

  test.each([
    ['text', { text: 'yes' }, reply('yes')],
    ['no reply for content', { content: 'yes' }, NO_REPLY],
  ])('in Slack’s format is read as %s', (_, body, meaning) => {
    expect(parse(body, slack)).toEqual(meaning)
  })

  test.each([200, 201, 204])('is no reply if the body is empty, with status %d', (status) => {
    expect(parseAnswer({ status, body: '\n' }, generic)).toEqual(NO_REPLY)
  })

  test.each([
    ['<html>', 'its answer is not JSON'],
    ['[]', 'its answer is no JSON object'],
    ['7', 'its answer is no JSON object'],
    ['{"content":7}', '"content" of its answer is no text'],
    ['{"content":"a","widget_content":"{"}', '"widget_content" of its answer is no widget'],
    [
      '{"content":"a","widget_content":{"widget_type":"bomb"}}',
      '"widget_content" of its answer is no widget',
    ],
    ['{"response_string":{}}', '"response_string" of its answer is no text'],
  ])('is a lasting fault: %s', (body, fault) => {
    expect(parseAnswer({ status: 200, body }, generic)).toEqual({ kind: 'fault', fault, isTransient: false })
  })

  test.each([
    [500, true],
    [503, true],
    [408, true],
    [429, true],
    [302, false],
    [400, false],
    [404, false],
    [410, false],
  ])('is a fault with status %d, transient: %s', (status, isTransient) => {
    const body = '{"content":"yes"}'
    const fault = expect.stringContaining(`the status ${status}`)
    expect(parseAnswer({ status, body }, generic)).toEqual({ kind: 'fault', fault, isTransient })
  })
})
