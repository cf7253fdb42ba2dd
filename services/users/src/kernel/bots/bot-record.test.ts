import { describe, expect, test } from 'vitest'
import { managersOf } from './bot-record.ts'

const administrators = [
  { id: 1, role: 100 },
  { id: 2, role: 200 },
]

describe('the managers of a bot', () => {
  test.each([
    ['its owner and all administrators', { role: 400, botOwnerId: 7 }, [1, 2, 7]],
    ['its owner once, if an administrator', { role: 400, botOwnerId: 2 }, [1, 2]],
    ['only administrators with at least its power', { role: 100, botOwnerId: 1 }, [1]],
    ['only administrators if it has no owner', { role: 200, botOwnerId: null }, [1, 2]],
  ])('are %s', (_, bot, ids) => {
    expect(managersOf(bot, administrators)).toEqual(ids)
  })
})
