import type { ProfileField } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { currentFieldsOf } from './current-fields.ts'

const text: ProfileField = {
  id: 1,
  type: 1,
  name: 'Motto',
  hint: '',
  field_data: '',
  order: 1,
  required: false,
  editable_by_user: true,
}
const choice = (options: Record<string, { text: string; order: string }>): ProfileField => ({
  ...text,
  id: 3,
  type: 3,
  name: 'Color',
  field_data: JSON.stringify(options),
})
const blue = { b: { text: 'Blue', order: '2' } }
const color = choice({ r: { text: 'Red', order: '1' }, ...blue })
const values = { 1: { value: '*x*', rendered_value: '<p><em>x</em></p>' }, 3: { value: 'r' } }

describe('profile values', () => {
  test('are shown by the fields that exist, whatever else is known of these', () => {
    const renamed = { ...text, name: 'another', order: 9 }
    const [both, one] = [currentFieldsOf([color, renamed]), currentFieldsOf([color])]
    expect(both.shownValues(values)).toBe(values)
    expect(one.shownValues(values)).toEqual({ 3: { value: 'r' } })
    expect(both.key).toBe(currentFieldsOf([text, color]).key)
    expect(both.key).not.toBe(one.key)
  })

  test('last as long as their field and option', () => {
    expect(currentFieldsOf([text, color]).lastingValues(values)).toBe(values)
    expect(currentFieldsOf([color]).lastingValues(values)).toEqual({ 3: { value: 'r' } })
    expect(currentFieldsOf([text, choice(blue)]).lastingValues(values)).toEqual({ 1: values[1] })
  })

  test('are shown until they are removed if an option was deleted, since the removal is an event', () => {
    expect(currentFieldsOf([text, choice(blue)]).shownValues(values)).toBe(values)
  })
})
