import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { writeFormerOwnerNotice, writeNewOwnerNotice } from './owner-notice.rules.ts'

const bot = { user_id: 9, full_name: 'Echo', isOutgoingWebhook: false }
const ann = { user_id: 1, full_name: 'Ann' }
const ben = { user_id: 2, full_name: 'Ben' }

describe('the notices to the owners of a bot', () => {
  test('name the bot and the other owner, and say what happened to the key', () => {
    expect(writeNewOwnerNotice(bot, ann)).toMatch(
      /@_\*\*Echo\|9\*\* now, which was owned by @_\*\*Ann\|1\*\* before/,
    )
    expect(writeNewOwnerNotice(bot, ann)).toContain('new API key')
    expect(writeFormerOwnerNotice(bot, ben, { role: Role.member })).toMatch(/owned by @_\*\*Ben\|2\*\* now/)
  })

  test('name token and URL only for an outgoing webhook', () => {
    expect(writeNewOwnerNotice({ ...bot, isOutgoingWebhook: true }, ann)).toContain(
      'still calls the same URL',
    )
    expect(writeNewOwnerNotice(bot, ann)).not.toContain('token')
  })

  test('don’t name the new owner to a guest', () => {
    expect(writeFormerOwnerNotice(bot, ben, { role: Role.guest })).not.toContain('Ben')
  })
})
