import { describe, expect, test } from '@jest/globals'
import { Role } from '@tms/contracts'
import { tellFormerOwner, tellNewOwner } from './owner-notice.rules.ts'

const bot = { user_id: 9, full_name: 'Echo' }
const ann = { user_id: 1, full_name: 'Ann' }
const ben = { user_id: 2, full_name: 'Ben' }

describe('what the owners of a bot are told', () => {
  test('names the bot and the other, and says what became of the key', () => {
    expect(tellNewOwner(bot, ann)).toMatch(
      /@_\*\*Echo\|9\*\* now, which was owned by @_\*\*Ann\|1\*\* before/,
    )
    expect(tellNewOwner(bot, ann)).toContain('new API key')
    expect(tellFormerOwner(bot, ben, { role: Role.member })).toMatch(/owned by @_\*\*Ben\|2\*\* now/)
  })

  test('names nobody to a guest, who may not see everyone', () => {
    expect(tellFormerOwner(bot, ben, { role: Role.guest })).not.toContain('Ben')
  })
})
