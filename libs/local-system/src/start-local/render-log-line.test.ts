import { describe, expect, test } from 'vitest'
import { createColors } from './colors.ts'
import { renderLogLine } from './render-log-line.ts'

const options = { colors: createColors(false), minLevel: 40 }
const time = new Date(2026, 0, 2, 3, 4, 5).getTime()
const line = (entry: object) => JSON.stringify({ time, pid: 1, hostname: 'h', service: 'events', ...entry })

describe('a log line on the terminal', () => {
  test('has time, service, level, message and the relevant fields', () => {
    const text = renderLogLine('events-2', line({ level: 40, msg: 'lease lost', partition: 3 }), options)
    expect(text).toBe('03:04:05 events-2    warn  lease lost partition=3')
  })

  test('is left out below the configured level, given by name or number', () => {
    expect(renderLogLine('users', line({ level: 'info', msg: 'request' }), options)).toBeNull()
    expect(renderLogLine('users', line({ level: 'warn', msg: 'trouble' }), options)).toMatch(/warn .*trouble/)
    expect(renderLogLine('users', line({ level: 30, msg: 'request' }), options)).toBeNull()
    expect(
      renderLogLine('users', line({ level: 30, msg: 'request' }), { ...options, minLevel: 30 }),
    ).toContain('info  request')
  })

  test('includes the stack of its error', () => {
    const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at f' }
    const text = renderLogLine('users', line({ level: 50, msg: 'failed', err }), options)
    expect(text?.split('\n')).toEqual([
      '03:04:05 users       error failed',
      '         users       Error: no',
      '         users           at f',
    ])
  })

  test('that is not JSON is shown unchanged', () => {
    expect(renderLogLine('users', 'SyntaxError: {', options)).toBe('--:--:-- users       SyntaxError: {')
    expect(renderLogLine('users', '{broken', options)).toBe('--:--:-- users       {broken')
    expect(renderLogLine('users', '  ', options)).toBeNull()
  })

  test('shortens long values', () => {
    const text = renderLogLine('users', line({ level: 40, msg: 'm', body: 'x'.repeat(5_000) }), options)
    expect(text?.length).toBeLessThan(250)
  })
})
