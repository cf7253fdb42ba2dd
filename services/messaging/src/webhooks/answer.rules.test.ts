import { WebhookInterface } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { meaningOf } from './answer.rules.ts'

const { generic, slack } = WebhookInterface
const said = (body: unknown, serviceInterface: number = generic) =>
  meaningOf({ status: 200, body: JSON.stringify(body) }, serviceInterface)
const reply = (content: string) => ({ kind: 'reply', content })
const SILENCE = { kind: 'silence' }

describe('what an outgoing webhook says', () => {
  test.each([
    ['its content', { content: 'yes' }, reply('yes')],
    ['its older response_string', { response_string: 'yes' }, reply('yes')],
    ['response_string before content', { response_string: 'yes', content: 'no' }, reply('yes')],
    ['half of a character as a sign for it', { content: 'a\ud83d!' }, reply('a\ufffd!')],
    ['nothing if it says so', { response_not_required: true, content: 'yes' }, SILENCE],
    ['nothing by a blank text', { content: ' \n' }, SILENCE],
    ['nothing by null', { content: null }, SILENCE],
    ['nothing by an empty object', {}, SILENCE],
    ['nothing by an empty string', '', SILENCE],
    ['nothing in Slack’s words', { text: 'yes' }, SILENCE],
  ])('is %s', (_, body, meaning) => {
    expect(said(body)).toEqual(meaning)
  })

  test.each([
    ['its text', { text: 'yes' }, reply('yes')],
    ['nothing by content', { content: 'yes' }, SILENCE],
  ])('in Slack’s words is %s', (_, body, meaning) => {
    expect(said(body, slack)).toEqual(meaning)
  })

  test.each([200, 201, 204])('is nothing by an empty body with the status %d', (status) => {
    expect(meaningOf({ status, body: '\n' }, generic)).toEqual(SILENCE)
  })

  test.each([
    ['<html>', 'its answer is not JSON'],
    ['[]', 'its answer is no JSON object'],
    ['7', 'its answer is no JSON object'],
    ['{"content":7}', '"content" of its answer is no text'],
    ['{"response_string":{}}', '"response_string" of its answer is no text'],
  ])('is not %s, which is the same the next time', (body, fault) => {
    expect(meaningOf({ status: 200, body }, generic)).toEqual({ kind: 'fault', fault, mayPass: false })
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
  ])('is nothing with the status %d, which may pass: %s', (status, mayPass) => {
    const body = '{"content":"yes"}'
    const fault = expect.stringContaining(`the status ${status}`)
    expect(meaningOf({ status, body }, generic)).toEqual({ kind: 'fault', fault, mayPass })
  })
})
