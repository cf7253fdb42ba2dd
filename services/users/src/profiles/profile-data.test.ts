import { type ProfileField, type ProfileFieldType, profileFieldTypes } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { currentFieldsOf } from './current-fields.ts'
import { applyValues, diffProfileData, keepExisting } from './profile-data.rules.ts'
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

describe('profile values', () => {
  const fields = [field(1), field(3), field(4)]
  const before = { 1: { value: '*x*', rendered_value: '<p><em>x</em></p>' }, 3: { value: 'r' } }

  test('contain HTML for text fields', () => {
    const values = [
      { field: field(1), value: '*x*' },
      { field: field(3), value: 'r' },
      { field: field(4), value: null },
    ]

    expect(applyValues({ 4: { value: '2024-01-01' } }, values)).toEqual(before)
  })

  test('are published where they changed', () => {
    expect(diffProfileData(before, { 1: { value: 'y', rendered_value: '<p>y</p>' } }, fields)).toEqual([
      {
        kind: 'custom_profile_field',
        custom_profile_field: { id: 1, value: 'y', rendered_value: '<p>y</p>' },
      },
      { kind: 'custom_profile_field', custom_profile_field: { id: 3, value: null } },
    ])
    expect(diffProfileData(before, before, fields)).toEqual([])
  })

  test('disappear with their field or option', () => {
    const onlyBlue = { ...field(3), field_data: JSON.stringify({ b: { text: 'Blue', order: '2' } }) }
    expect(keepExisting(before, fields)).toBe(before)
    expect(keepExisting(before, [field(3)])).toEqual({ 3: { value: 'r' } })
    expect(keepExisting(before, [field(1), onlyBlue])).toEqual({ 1: before[1] })
  })

  test('are shown by the fields that exist, whatever else is known of these', () => {
    const renamed = { ...field(1), name: 'another', order: 9 }
    const [both, one] = [currentFieldsOf([field(3), renamed]), currentFieldsOf([field(3)])]
    expect(both.valuesOf({ profileData: before })).toBe(before)
    expect(one.valuesOf({ profileData: before })).toEqual({ 3: { value: 'r' } })
    expect(both.key).toBe(currentFieldsOf([field(1), field(3)]).key)
    expect(both.key).not.toBe(one.key)
  })
})
