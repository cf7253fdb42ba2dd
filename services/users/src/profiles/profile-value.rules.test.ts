import { type ProfileField, type ProfileFieldType, profileFieldTypes } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkValue } from './profile-value.rules.ts'

const options = JSON.stringify({ r: { text: 'Red', order: '1' }, b: { text: 'Blue', order: '2' } })
const field = (type: ProfileFieldType, id: number = type): ProfileField => ({
  id,
  type,
  name: `field ${id}`,
  hint: '',
  field_data: type === profileFieldTypes.SELECT.id ? options : '',
  order: id,
  required: false,
  editable_by_user: true,
})

describe('checkValue', () => {
  test.each<[ProfileFieldType, string | number[], string]>([
    [1, 'x'.repeat(50), 'x'.repeat(50)],
    [1, '🦉'.repeat(50), '🦉'.repeat(50)],
    [2, 'x'.repeat(500), 'x'.repeat(500)],
    [3, 'b', 'b'],
    [4, '2024-02-29', '2024-02-29'],
    [5, 'https://example.com/a?b#c', 'https://example.com/a?b#c'],
    [6, [7, 8], '[7,8]'],
    [6, '[7, 8]', '[7,8]'],
    [7, 'ada', 'ada'],
    [8, 'they', 'they'],
  ])('stores type %i: %j as %j', (type, sent, value) => {
    expect(checkValue(field(type), sent)).toMatchObject({ value })
  })

  test.each<[ProfileFieldType, string | number[]]>([
    [1, 'x'.repeat(51)],
    [1, [1]],
    [2, 'x'.repeat(501)],
    [3, 'Red'],
    [3, '__proto__'],
    [4, '2023-02-29'],
    [4, '2024-2-1'],
    [4, 'yesterday'],
    [5, 'javascript:alert(1)'],
    [5, 'example.com'],
    [5, 'https://a b'],
    [6, 'ada'],
    [6, '{"7":8}'],
    [6, '[1.5]'],
    [7, 'x'.repeat(51)],
    [8, 'x'.repeat(51)],
  ])('refuses type %i: %j', (type, sent) => {
    expect(() => checkValue(field(type), sent)).toThrow(/./)
  })

  test.each<[ProfileFieldType, string | number[] | null]>([
    [1, null],
    [1, ''],
    [6, []],
    [6, '[]'],
  ])('clears type %i: %j', (type, sent) => {
    expect(checkValue(field(type), sent)).toMatchObject({ value: null })
  })
})
