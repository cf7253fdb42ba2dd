import { describe, expect, test } from 'vitest'
import { PayloadError } from '../kernel/payload-error.ts'
import { parseTemplate } from './template.ts'

const render = (template: string, payload: unknown, kind: 'markdown' | 'line' = 'markdown') =>
  parseTemplate('template', template, kind)(payload)

describe('a template', () => {
  test.each([
    ['{{title}} is {{state}}', { title: 'Disk', state: 97.5 }, 'Disk is 97.5'],
    ['{{user.name}}{{user.missing}}{{nothing}}', { user: { name: 'Ada' } }, 'Ada'],
    [
      '{{#items}}* {{name}} of {{shop}}\n{{/items}}',
      { shop: 'S', items: [{ name: 'a' }, { name: 'b' }] },
      '* a of S\n* b of S\n',
    ],
    ['{{#tags}}#{{.}} {{/tags}}', { tags: ['x', 'y'] }, '#x #y '],
    ['{{^items}}none{{/items}}{{#ok}}!{{/ok}}', { items: [], ok: false }, 'none'],
    ['{{items.1.name}}, {{items.length}}', { items: [{}, { name: 'b' }] }, 'b, 2'],
    ['{{labels.app.example.com/name}}', { labels: { 'app.example.com/name': 'shop' } }, 'shop'],
    ['{{labels}}', { labels: { a: 1 } }, '`{"a":1}`'],
    ['{{{.}}}', { a: 1 }, '```json\n{\n  "a": 1\n}\n```'],
    ['{{! nothing }}a & <b> {{c}}', { c: '<i> & "q"' }, 'a & <b> <i> & "q"'],
    [
      '[{{title}}]({{url}})',
      { title: 'a](http://evil.example.com)', url: 'https://e.com/a(b)' },
      '[a&#93;(http://evil.example.com)](https://e.com/a%28b%29)',
    ],
  ])('fills in %j', (template, payload, expected) => {
    expect(render(template, payload)).toBe(expected)
  })

  test('makes a line of a topic, with its values as they are', () => {
    expect(render(' {{a}}\n{{b}} ', { a: 'x [y]', b: 'z\n`' }, 'line')).toBe('x [y] z `')
    expect(render('{{a}} {{{a}}}', { a: { b: 1 } }, 'line')).toBe('{"b":1} {"b":1}')
  })

  test('mentions people itself, while values mention nobody', () => {
    expect(render('@**Ada** @*on call* @**all**', {})).toBe('@**Ada** @*on call* @**all**')
    expect(render('{{a}} {{{a}}}', { a: '@**all** @**Ada**' })).toBe(
      '@\u200b**all** @_**Ada** @\u200b**all** @_**Ada**',
    )
    // Values that complete what the template, or another value, begins.
    expect(render('@{{a}}', { a: '**all**' })).toBe('@\u200b**all**')
    expect(render('@**{{a}}**', { a: 'Ada' })).toBe('@_**Ada**')
    expect(render('{{a}}{{b}}', { a: '@*', b: '*all**' })).not.toContain('@**')
    expect(render('@**Ada** {{a}} {{{a}}}', { a: '\uE0000\uE001' })).toBe('@**Ada** 0 0')
  })

  test.each([
    'constructor',
    'constructor.constructor',
    '__proto__',
    'toString',
    'list.map',
    'text.length',
    'text.constructor',
    'hasOwnProperty',
  ])('sees the fields of the payload alone, and not %s', (name) => {
    const payload = { list: [1], text: 'x' }
    expect(render(`{{${name}}}{{{${name}}}}{{#${name}}}x{{/${name}}}`, payload)).toBe('')
  })

  test.each([
    ['{{a', 'template: unclosed tag at character 1'],
    ['a {{b}} {{c', 'template: unclosed tag at character 9'],
    ['ab{{/b}}', 'template: unopened section "b" at character 3'],
    ['{{#a}}{{/b}}', 'template: unclosed section "a" at character 7'],
    ['{{#a}} x', 'template: unclosed section "a" at the end'],
    ['{{#a}}{{> other}}{{/a}}', 'template: no partials, such as "other" at character 7'],
    [`x{{${'n'.repeat(256)}}}`, 'template: a name longer than 255 characters at character 2'],
    ['{{=a=}}', 'template: invalid tags: a'],
    [
      `${'{{#a}}'.repeat(21)}${'{{/a}}'.repeat(21)}`,
      'template: more than 20 sections within each other at character 121',
    ],
  ])('is refused if it is wrong: %s', (template, message) => {
    expect(() => parseTemplate('template', template, 'markdown')).toThrow(new PayloadError(message))
  })

  test('is refused if it is longer than an address', () => {
    expect(() => parseTemplate('template', 'x'.repeat(4_001), 'line')).toThrow(
      new PayloadError('template: longer than 4000 characters'),
    )
  })

  test('that multiplies lists is refused or cut', () => {
    const a = new Array(1_000).fill({ b: 'x' })
    expect(() => render(`${'{{#a}}'.repeat(19)}{{^a}}{{/a}}${'{{/a}}'.repeat(19)}`, { a })).toThrow(
      new PayloadError('template: more than 100000 parts to render'),
    )
    // Neither sections without contents nor long paths are free.
    const empty = '{{#a}}{{#a}}{{/a}}{{/a}}'
    expect(() => render(empty, { a: new Array(300_000).fill(1) })).toThrow(PayloadError)
    const path = Array(120).fill('p').join('.')
    expect(() => render(`{{#a}}{{${path}}}{{/a}}`, { a: new Array(60_000).fill(1), p: {} })).toThrow(
      PayloadError,
    )
    expect(render('{{#a}}{{#a}}{{#a}}{{b}}{{/a}}{{/a}}{{/a}}', { a }).length).toBeLessThan(30_000)
    const long = { a: new Array(1_000).fill('y'), text: ' `['.repeat(300_000) }
    expect(render('{{#a}}{{text}}{{{text}}}{{/a}}', long).length).toBeLessThan(200_000)
    expect(render('{{#a}}{{{.}}}{{.}}{{/a}}', { a: [long, long, long] }).length).toBeLessThan(200_000)
  })
})
