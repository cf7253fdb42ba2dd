import { expect, test } from 'vitest'
import { renderDetails, renderTable } from './table.ts'

test('a table has columns as wide as they need, with numbers at the right', () => {
  const rows = [
    [7, 'sales', 'Sales'],
    [12, '.', ''],
  ]

  expect(renderTable(['ID', 'SUBDOMAIN', 'NAME'], rows).split('\n')).toEqual([
    'ID  SUBDOMAIN  NAME',
    ' 7  sales      Sales',
    '12  .',
  ])
})

test('a table without rows is its headings', () => {
  expect(renderTable(['ID', 'NAME'], [])).toBe('ID  NAME')
})

test('facts stand below each other', () => {
  expect(
    renderDetails([
      ['Address', 'http://x'],
      ['Key', ''],
    ]),
  ).toBe('Address  http://x\nKey')
})
