import { describe, expect, test } from 'vitest'
import { emojiData } from './emoji-data.ts'
import { codeOfEmojiName, nameOfEmojiCode, namesOfEmojiCode } from './emoji-names.ts'
import { codeOfEmoticon } from './emoticons.ts'

describe('the name of an emoji', () => {
  test.each([
    ['thumbs_up', '1f44d'],
    ['+1', '1f44d'],
    ['thumbsup', '1f44d'],
    ['heart', '2764'],
    ['tada', '1f389'],
    ['smile', '1f642'],
    ['octopus', '1f419'],
    ['flag_germany', '1f1e9-1f1ea'],
    ['thumbs_up_tone3', '1f44d-1f3fd'],
    ['man_shrugging', '1f937-200d-2642'],
    ['gold', '1f947'],
    ['holiday_tree', '1f384'],
    ['up', '2b06'],
    ['phone', '260e'],
    ['nauseated', '1f922'],
    ['receipt', '1f9fe'],
    ['piñata', '1fa85'],
    ['pinata', '1fa85'],
    ['flag_côte_divoire', '1f1e8-1f1ee'],
    ['flag_cote_divoire', '1f1e8-1f1ee'],
    ['空', '1f233'],
  ])('%s means %s', (name, code) => {
    expect(codeOfEmojiName(name)).toBe(code)
    expect(namesOfEmojiCode(code)).toContain(name)
  })

  test.each(['', 'no_such_emoji', 'constructor', '__proto__', 'Smile', '30'])('%j means none', (name) => {
    expect(codeOfEmojiName(name)).toBeNull()
  })

  test('comes first in the list of names if it is canonical', () => {
    expect(nameOfEmojiCode('1f44d')).toBe('+1')
    expect(nameOfEmojiCode('1f384')).toBe('holiday_tree')
    expect(nameOfEmojiCode('1f419')).toBe('octopus')
    expect(nameOfEmojiCode('1f44d-1f3fd')).toBe('thumbs_up_tone3')
    expect(nameOfEmojiCode('ffff')).toBeNull()
    expect(nameOfEmojiCode('constructor')).toBeNull()
  })

  test('may belong to a second emoji if other servers use it so', () => {
    expect(namesOfEmojiCode('1f604')).toContain('smile')
  })
})

test('the document for clients maps codes to names and names to codes', () => {
  const { code_to_names, name_to_code } = emojiData()

  expect(Object.keys(code_to_names).length).toBeGreaterThan(3_700)
  for (const [code, [name]] of Object.entries(code_to_names)) {
    expect(code).toMatch(/^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/)
    // The text of an emoji code; upper case and spaces don't render as emoji.
    expect(name).toMatch(/^[\p{Ll}\p{Lo}\p{Nd}+-][\p{Ll}\p{Lo}\p{Nd}_+-]*$/u)
    expect([code, name_to_code[name ?? '']]).toEqual([code, code])
  }
  for (const [name, code] of Object.entries(name_to_code)) expect(code_to_names[code]).toContain(name)
})

test('every emoticon stands for an emoji', () => {
  for (const emoticon of [':)', ':(', '<3', ':D', ':|', ';)']) {
    expect(nameOfEmojiCode(codeOfEmoticon(emoticon) ?? '')).not.toBeNull()
  }
  expect(codeOfEmoticon('xD')).toBeNull()
})
