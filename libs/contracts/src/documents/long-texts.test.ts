import { expect, test } from 'vitest'
import { limits } from '../declarations/limits.ts'
import { messagingRecord } from '../messaging/export-records.ts'
import { usersRecord } from '../users/export-records.ts'

const lengthsOf = (schema: typeof messagingRecord | typeof usersRecord, record: object): string[] =>
  schema.safeParse(record).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []

test('rejects records with texts that are too long for any client', () => {
  const content = '😀'.repeat(limits.maxMessageLength)
  const of = (text: string) => lengthsOf(messagingRecord, { kind: 'message', content: text })

  expect(of(content).filter((issue) => issue.startsWith('content'))).toEqual([])
  expect(of(`${content}!`)).toContain('content has more than 10000 characters')
  expect(
    lengthsOf(usersRecord, { kind: 'user', full_name: 'x'.repeat(101), alert_words: ['x'.repeat(101)] }),
  ).toEqual(
    expect.arrayContaining([
      'full_name has more than 100 characters',
      'alert_words.0 has more than 100 characters',
    ]),
  )
})
