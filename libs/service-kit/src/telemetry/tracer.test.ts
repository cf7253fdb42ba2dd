import { ROOT_CONTEXT } from '@opentelemetry/api'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createRecordedSpans } from './recorded-spans.ts'
import { activeSpan, currentTraceparent, inSpan, inSpanOf, remoteContext, startSpan } from './tracer.ts'

const SENT = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'
const NOT_RECORDED = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-00'

const { start, stop, turnOn, reset, list: spans } = createRecordedSpans()
beforeAll(start)
afterAll(stop)
afterEach(reset)

describe('while tracing is off', () => {
  test('functions run, and nothing is recorded', async () => {
    await expect(inSpanOf(SENT, 'a', {}, () => inSpan('b', {}, async () => 'done'))).resolves.toBe('done')

    expect([activeSpan(), currentTraceparent(), remoteContext(SENT), startSpan('c', ROOT_CONTEXT)]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(spans()).toEqual([])
  })
})

describe('a trace', () => {
  test('contains everything that a recorded request does', async () => {
    turnOn()
    let handedOn: string | null = null
    await inSpanOf(SENT, 'outer', {}, () =>
      inSpan('inner', {}, async () => {
        await new Promise(setImmediate)
        handedOn = currentTraceparent()
      }),
    )

    const [inner, outer] = spans()
    expect(inner).toMatchObject({ name: 'inner', parent: outer?.id })
    expect(outer).toMatchObject({ name: 'outer', parent: '0123456789abcdef' })
    expect(handedOn).toBe(`00-0123456789abcdef0123456789abcdef-${inner?.id}-01`)
  })

  test.each([null, undefined, '', 'rubbish', NOT_RECORDED, 7 as unknown as string])(
    'does not contain requests that are part of %j, nor background work',
    async (traceparent) => {
      turnOn()
      await inSpanOf(traceparent, 'reaction', {}, () => inSpan('transaction', {}, async () => {}))

      expect(spans()).toEqual([])
    },
  )

  test('contains the kind of an error without its message, which may name people', async () => {
    turnOn()
    const failing = (err: unknown) => inSpanOf(SENT, 'a', {}, () => Promise.reject(err))
    await expect(failing(new TypeError('no such user: ann@example.com'))).rejects.toThrow(TypeError)
    await expect(failing(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).rejects.toThrow('x')

    expect(spans()).toMatchObject([
      { failure: 'TypeError', attributes: { 'error.type': 'TypeError' } },
      { failure: 'ECONNREFUSED', attributes: { 'error.type': 'ECONNREFUSED' } },
    ])
    expect(JSON.stringify(spans())).not.toContain('ann@example.com')
  })
})
