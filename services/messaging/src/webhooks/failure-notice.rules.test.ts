import { describe, expect, test } from 'vitest'
import { writeFailureNotice } from './failure-notice.rules.ts'

const failed = {
  bot: { user_id: 7, full_name: 'Echo' },
  messageId: 12,
  isDirect: false,
  reason: 'it answered 500',
  attempts: 1,
}

describe('the notice to the owner of a bot whose webhook failed', () => {
  test('names bot, message and reason', () => {
    expect(writeFailureNotice(failed)).toBe(
      [
        'Your bot @_**Echo|7** was mentioned in message 12, but calling its webhook failed, and nothing tries again:',
        '',
        '```text',
        'it answered 500',
        '```',
      ].join('\n'),
    )
  })

  test('says that it got the message directly, and how often the call was tried', () => {
    expect(writeFailureNotice({ ...failed, isDirect: true, attempts: 4 })).toContain(
      '** got message 12, but calling its webhook failed, after 4 attempts:',
    )
  })

  test('quotes a reason that would end its own code', () => {
    const reason = 'no\n```\n[log in](https://example.com)'

    expect(writeFailureNotice({ ...failed, reason })).toContain(`\`\`\`\`text\n${reason}\n\`\`\`\``)
  })
})
