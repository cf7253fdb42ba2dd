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

test('prints a table that is readable in a terminal', () => {
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

test('prints a table for a Markdown document', () => {
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
