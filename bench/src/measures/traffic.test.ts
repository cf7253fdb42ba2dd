import { expect, test } from 'vitest'
import { spreadOver } from './traffic.ts'

test('gives each channel its share of the messages, well mixed', () => {
  const order = spreadOver([60, 30, 10], 20)

  expect([0, 1, 2].map((index) => order.filter((one) => one === index).length)).toEqual([12, 6, 2])
  expect(order.slice(0, 10).filter((one) => one === 0)).toHaveLength(6)
})
