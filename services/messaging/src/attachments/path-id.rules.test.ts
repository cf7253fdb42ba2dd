import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  blobNameOf,
  createPathId,
  displayNameOf,
  findPathIds,
  nameInUrl,
  urlNameOf,
} from './path-id.rules.ts'

describe('urlNameOf', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['My  holiday photo.JPG', 'My-holiday-photo.JPG'],
    ['Übersicht №3 (neu).xlsx', 'Übersicht-No3-neu.xlsx'],
    ['絵文字🦉.png', '絵文字.png'],
    ['हिन्दी.txt', 'हिन्दी.txt'],
    ['../../etc/passwd', 'etcpasswd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['．．／x', 'x'],
    ['.htaccess', 'htaccess'],
    ['a\0b\r\nc\u202egpj.exe', 'ab-cgpj.exe'],
    ['<script>"\'.svg', 'script.svg'],
    ['a%2fb?c#d', 'a2fbcd'],
    ['', 'uploaded-file'],
    ['...', 'uploaded-file'],
    ['🦉', 'uploaded-file'],
  ])('%j becomes %s', (name, expected) => {
    expect(urlNameOf(name)).toBe(expected)
  })

  test('a long name keeps its extension', () => {
    const name = urlNameOf(`${'ä'.repeat(500)}.tar`)

    expect(name).toBe(`${'ä'.repeat(58)}.tar`)
  })

  test('what looks like an extension, but is too long for one, is cut', () => {
    expect(urlNameOf(`a.${'x'.repeat(500)}`)).toHaveLength(120)
  })

  test('whatever the name is, one segment of a path comes of it, which is found in a text again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const pathId = createPathId(7, name)

        expect(nameInUrl(pathId)).toMatch(/^[^/\\\s%?#"'<>\p{C}]{1,120}$/u)
        expect(nameInUrl(pathId)).not.toMatch(/^\.+$/)
        expect(findPathIds(`[${name}](/user_uploads/${pathId})`)).toContain(pathId)
        expect(findPathIds(`See /user_uploads/${encodeURI(pathId)}.`)).toEqual([pathId])
        expect(blobNameOf(pathId)).toMatch(/^attachments\/7\/[0-9a-f]{1,2}\/[\w-]{24}$/)
      }),
    )
  })
})

describe('displayNameOf', () => {
  test.each([
    ['Übersicht (neu).pdf', 'Übersicht (neu).pdf'],
    ['a\r\nb\0', 'ab'],
    ['evil\u202egpj.exe', 'evilgpj.exe'],
    [' ', 'uploaded-file'],
  ])('%j is shown as %j', (name, expected) => {
    expect(displayNameOf(name)).toBe(expected)
  })

  test('is no longer than 255 characters', () => {
    expect([...displayNameOf('🦉'.repeat(300))]).toHaveLength(255)
  })
})

describe('findPathIds', () => {
  const id = `1/a0/${'x'.repeat(24)}/a.png`

  test.each([
    ['no link', 'hello', []],
    ['a Markdown link', `[a](/user_uploads/${id})`, [id]],
    ['a whole URL', `https://chat.example.com/user_uploads/${id} and more`, [id]],
    ['the same twice', `/user_uploads/${id} /user_uploads/${id}`, [id]],
    ['the end of a sentence', `See /user_uploads/${id}.`, [id]],
    ['another path', '/user_uploads/thumbnail/1/2', []],
    ['a broken escape', `/user_uploads/${id}%zz`, [`${id}%zz`]],
  ])('%s', (_, content, expected) => {
    expect(findPathIds(content)).toEqual(expected)
  })
})
