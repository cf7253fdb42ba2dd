import { expect, test } from 'vitest'
import { asMarkdown, asText } from './table.ts'

const table = {
  title: 'Sends',
  columns: ['senders', 'per second'],
  rows: [
    ['1', '120'],
    ['fifty', '1,400'],
  ],
  notes: ['limited by the CPU'],
}

test('a table can be read in a terminal', () => {
  expect(asText(table)).toBe(
    [
      'Sends',
      '  senders  per second',
      '  ───────  ──────────',
      '  1               120',
      '  fifty         1,400',
      '  limited by the CPU',
    ].join('\n'),
  )
})

test('a table can stand in a document', () => {
  expect(asMarkdown(table)).toBe(
    [
      '### Sends',
      '',
      '| senders | per second |',
      '| --- | --: |',
      '| 1 | 120 |',
      '| fifty | 1,400 |',
      '',
      '- limited by the CPU',
    ].join('\n'),
  )
})
