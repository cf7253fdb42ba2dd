import type { ProfileField, ProfileFieldType } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { applyValues, diffProfileData } from './profile-data.rules.ts'

const field = (type: ProfileFieldType, id: number = type): ProfileField => ({
  id,
  type,
  name: `field ${id}`,
  hint: '',
  field_data: '',
  order: id,
  required: false,
  editable_by_user: true,
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
})
