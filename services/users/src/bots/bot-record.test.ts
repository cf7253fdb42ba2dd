import { describe, expect, test } from 'vitest'
import { managersOf } from './bot-record.ts'

const administrators = [
  { id: 1, role: 100 },
  { id: 2, role: 200 },
]

describe('who manages a bot', () => {
  test.each([
    ['its owner and all administrators', { role: 400, botOwnerId: 7 }, [1, 2, 7]],
    ['its owner once, if an administrator', { role: 400, botOwnerId: 2 }, [1, 2]],
    ['of administrators those with its power', { role: 100, botOwnerId: 1 }, [1]],
    ['administrators alone where nobody owns it', { role: 200, botOwnerId: null }, [1, 2]],
  ])('is %s', (_, bot, ids) => {
    expect(managersOf(bot, administrators)).toEqual(ids)
  })
})
