import { describe, expect, test } from 'vitest'
import { palette, parseColor, pickColors } from './color.rules.ts'

describe('pickColors', () => {
  test('the palette has 24 colours, each a valid one', () => {
    expect(new Set(palette).size).toBe(24)
    for (const color of palette) expect(parseColor(color)).toBe(color)
  })

  test('takes the first that are not in use', () => {
    const used = new Set([palette[0], palette[2]])
    expect(pickColors(used, 2)).toEqual([palette[1], palette[3]])
  })

  test('repeats once all are in use', () => {
    const picked = pickColors(new Set(palette), 3)
    expect(picked).toHaveLength(3)
    for (const color of picked) expect(palette).toContain(color)
    expect(pickColors(new Set(), 30)).toHaveLength(30)
  })
})

test.each(['red', '#12', '#1234567', '#xyz', '123456', '#fff\n'])('parseColor refuses %j', (color) => {
  expect(() => parseColor(color)).toThrow()
})
