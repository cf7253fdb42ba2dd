import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../kernel/rendering/mention-lookup.ts'
import { plainSettings } from '../kernel/rendering/rendering-settings.ts'
import { renderMarkdown } from '../rendering/render-markdown.ts'
import { blobNameOf, createPathId, displayNameOf, nameInUrl, urlNameOf } from './path-id.rules.ts'

const settings = { ...plainSettings, realmUrl: 'http://chat.e.com' }
/** The files that a text links. */
const linkedBy = (content: string) => renderMarkdown(content, createMentionLookup({}), settings).uploadPathIds

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

  test('an extension that is too long is cut like the rest', () => {
    expect(urlNameOf(`a.${'x'.repeat(500)}`)).toHaveLength(120)
  })

  test('any name becomes one path segment, by which messages can link the file', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const pathId = createPathId(7, name)

        expect(nameInUrl(pathId)).toMatch(/^[^/\\\s%?#"'<>\p{C}]{1,120}$/u)
        expect(nameInUrl(pathId)).not.toMatch(/^\.+$/)
        expect(linkedBy(`See [this](/user_uploads/${pathId}).`)).toEqual([pathId])
        expect(linkedBy(`See http://chat.e.com/user_uploads/${encodeURI(pathId)}.`)).toEqual([pathId])
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
