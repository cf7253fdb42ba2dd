import { describe, expect, test } from 'vitest'
import { changedField, newField, type ProfileFieldInput } from './profile-field.rules.ts'

const stored = {
  id: 1,
  type: 1,
  name: 'Phone',
  hint: '',
  fieldData: '',
  isInSummary: true,
  isRequired: false,
  isEditable: true,
}
const colors = { r: { text: 'Red', order: '1' }, b: { text: 'Blue', order: '2' } }
/** A property that every object inherits. */
const builders = { constructor: { text: 'Builder', order: '1' } }
const website = { subtype: 'custom', url_pattern: 'https://example.com/%(username)s' }

describe('a new field', () => {
  test.each<[number, ProfileFieldInput, object]>([
    [1, { name: ' Town ' }, { name: 'Town', hint: '', fieldData: '', isInSummary: false, isRequired: false }],
    [1, { name: 'Town', field_data: { ignored: true } }, { fieldData: '' }],
    [1, { name: 'x'.repeat(40), hint: 'y'.repeat(80) }, { name: 'x'.repeat(40) }],
    [3, { name: 'Color', field_data: colors }, { fieldData: JSON.stringify(colors) }],
    [3, { name: 'Role', field_data: builders }, { fieldData: JSON.stringify(builders) }],
    [7, { name: 'Site', field_data: website }, { name: 'Site', fieldData: JSON.stringify(website) }],
    [
      7,
      { name: 'ignored', hint: 'ignored', field_data: { subtype: 'github', url_pattern: 'ignored' } },
      { name: 'GitHub username', hint: '', fieldData: '{"subtype":"github"}' },
    ],
    [
      8,
      { name: 'Pronouns', display_in_profile_summary: true, required: true },
      { isInSummary: true, isRequired: true },
    ],
  ])('of type %i: %j', (type, sent, field) => {
    expect(newField(type, sent, [stored])).toMatchObject(field)
  })

  test.each<[number, ProfileFieldInput]>([
    [1, {}],
    [1, { name: ' ' }],
    [1, { name: 'x'.repeat(41) }],
    [1, { name: 'Town', hint: 'x'.repeat(81) }],
    [1, { name: 'Phone' }],
    [2, { name: 'Long', display_in_profile_summary: true }],
    [6, { name: 'People', display_in_profile_summary: true }],
    [3, { name: 'Color' }],
    [3, { name: 'Color', field_data: { r: 'Red' } }],
    [3, { name: 'Color', field_data: { r: { text: ' ', order: '1' } } }],
    [3, { name: 'Color', field_data: { r: { text: 'Red', order: 1 } } }],
    [3, { name: 'Color', field_data: { r: { text: 'Red', order: '1', more: 1 } } }],
    [3, { name: 'Color', field_data: { ' ': { text: 'Red', order: '1' } } }],
    [3, { name: 'Color', field_data: { a: { text: 'Red', order: '1' }, b: { text: 'Red', order: '2' } } }],
    [7, { name: 'Site' }],
    [7, { name: 'Site', field_data: { subtype: 'myspace' } }],
    [7, { name: 'Site', field_data: { subtype: '__proto__' } }],
    [7, { name: 'Site', field_data: { subtype: 'custom' } }],
    [7, { name: 'Site', field_data: { subtype: 'custom', url_pattern: 'https://example.com' } }],
    [7, { name: 'Site', field_data: { subtype: 'custom', url_pattern: 'javascript:%(username)s' } }],
    [7, { name: 'Site', field_data: { ...website, url_pattern: `${website.url_pattern}/%(username)s` } }],
  ])('of type %i: %j is refused', (type, sent) => {
    expect(() => newField(type, sent, [stored])).toThrow(/./)
  })

  test('is refused as the third in the summary or as the 201st field', () => {
    const shown = { name: 'Town', display_in_profile_summary: true }
    expect(() => newField(1, shown, [stored, { ...stored, id: 2, name: 'b' }])).toThrow('Only 2')
    const many = Array.from({ length: 200 }, (_, id) => ({ ...stored, id, name: `${id}` }))
    expect(() => newField(1, { name: 'Town' }, many)).toThrow('at most 200')
  })
})

describe('a changed field', () => {
  test('keeps values that are not sent', () => {
    expect(changedField(stored, { hint: 'with country code' }, [])).toMatchObject({
      name: 'Phone',
      hint: 'with country code',
      isInSummary: true,
    })
    expect(changedField(stored, { name: 'Phone', display_in_profile_summary: false }, [])).toMatchObject({
      name: 'Phone',
      isInSummary: false,
    })
  })

  test('of an external account can change only whether it is in the summary', () => {
    const github = { ...stored, type: 7, name: 'GitHub username', fieldData: '{"subtype":"github"}' }

    expect(changedField(github, { display_in_profile_summary: false }, [])).toMatchObject({
      isInSummary: false,
    })
    expect(changedField(github, { name: github.name, field_data: { subtype: 'github' } }, [])).toMatchObject({
      name: github.name,
    })
    for (const sent of [{ name: 'Git' }, { hint: 'x' }, { field_data: website }, { required: true }])
      expect(() => changedField(github, sent, [])).toThrow('Default custom field')
    const site = { ...stored, type: 7, fieldData: JSON.stringify(website) }
    expect(() => changedField(site, { field_data: { subtype: 'github' } }, [])).toThrow(
      'Default custom field',
    )
  })
})
