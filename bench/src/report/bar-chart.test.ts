import { expect, test } from 'vitest'
import { type Bar, drawBars } from './bar-chart.ts'

const bar = (label: string, value: number, isOther = false): Bar => ({
  ...{ chart: 'delivery' as const, label, value, isOther },
})
const widths = (svg: string) =>
  [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))

test('bars are as long as their values, from zero', () => {
  const [half = 0, whole = 0, none] = widths(drawBars('delivery', [bar('a', 50), bar('b', 100), bar('c', 0)]))
  expect(whole).toBeCloseTo(2 * half)
  expect(none).toBe(0)
})

test('figures have three digits, and labels are escaped', () => {
  const svg = drawBars('delivery', [bar('<a & b>', 1234.5), bar('c', 1.2345, true)])
  expect(svg).toContain('>1,235<')
  expect(svg).toContain('>1.23<')
  expect(svg).toContain('&lt;a &amp; b>')
  expect(svg).toContain('class="other"')
})

test('an image without values is valid', () => {
  expect(widths(drawBars('delivery', [bar('a', 0)]))).toEqual([0])
})
