import { expect, test } from 'vitest'
import { renderDetails, renderTable } from './table.ts'

test('a table has columns as wide as their content, with numbers aligned right', () => {
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

test('a table without rows shows its headings', () => {
  expect(renderTable(['ID', 'NAME'], [])).toBe('ID  NAME')
})

test('details are shown a line each', () => {
  expect(
    renderDetails([
      ['Address', 'http://x'],
      ['Key', ''],
    ]),
  ).toBe('Address  http://x\nKey')
})
