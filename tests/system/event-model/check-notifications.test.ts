import { domainEvents } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkNotifications, type NotifiedPerson } from './check-notifications.ts'
import type { LogRecord } from './log-records.ts'

const { messaging } = domainEvents
const [ANN, BEN, CHANNEL, MESSAGE] = [1, 2, 7, 100] as const

const record = ({ name }: { readonly name: string }, payload: object): LogRecord =>
  ({ offset: 0, readAt: 0, entry: { event: name, payload } }) as unknown as LogRecord
const sent = (more: object) =>
  record(messaging.messageSent, { flags_by_user: {}, recipient_user_ids: null, ...more })
const DIRECT = sent({
  message: { id: MESSAGE, sender_id: ANN },
  recipient_user_ids: [ANN, BEN],
  raw_content: 'whisper 1',
})
const MENTION = sent({
  message: { id: MESSAGE, sender_id: ANN, stream_id: CHANNEL },
  flags_by_user: { [BEN]: ['mentioned'] },
  raw_content: `@**|${BEN}** say 1`,
})
const edited = (update: object, flags: readonly string[] = []) =>
  record(messaging.messageUpdated, {
    update: { message_id: MESSAGE, message_ids: [MESSAGE], ...update },
    flags_by_user: { [BEN]: flags },
  })
const DELETED = record(messaging.messagesDeleted, { message_ids: [MESSAGE], moved_to: null })
const MOVED = edited({ subject: 'elsewhere' })
const READ = record(messaging.messageFlagsUpdated, {
  ...{ user_id: BEN, op: 'add', flag: 'read', messages: [MESSAGE] },
})
const LEFT = record(messaging.subscribersRemoved, { channel: { stream_id: CHANNEL }, user_ids: [BEN] })
const JOINED = record(messaging.subscribersAdded, {
  channel: { stream_id: CHANNEL },
  added: [{ user_id: BEN }],
})

const push = { type: 'message', message_id: MESSAGE }
const removal = { type: 'remove', message_ids: [MESSAGE] }
const mail = (text: string, id = `<${text}>`) => ({ id, text: `Ann wrote:\n\n> ${text}\n` })

type Got = Partial<Pick<NotifiedPerson, 'pushes' | 'mails'>>
const ben = (got: Got): NotifiedPerson => ({
  ...{ name: 'Ben', userId: BEN, channelIds: [CHANNEL], pushes: [], mails: [] },
  ...got,
})
const ann: NotifiedPerson = { ...ben({}), name: 'Ann', userId: ANN }
const problemsOf = (log: readonly LogRecord[], got: Got, mayRepeat = false) =>
  checkNotifications([ann, ben(got)], log, mayRepeat)

describe('the check of notifications accepts', () => {
  test.each<[string, readonly LogRecord[], Got]>([
    ['a direct message', [DIRECT], { pushes: [push], mails: [mail('whisper 1')] }],
    ['a mention', [MENTION], { pushes: [push], mails: [mail('say 1')] }],
    [
      'a message that a mail says it does not show',
      [DIRECT],
      { pushes: [push], mails: [mail('1 earlier message not shown here.')] },
    ],
    [
      'the text of an edit',
      [DIRECT, edited({ content: 'edit 2' })],
      { pushes: [push], mails: [mail('edit 2')] },
    ],
    ['the same mail twice', [DIRECT], { pushes: [push], mails: [mail('whisper 1'), mail('whisper 1')] }],
    ['nothing of a message that was read at once', [DIRECT, READ], {}],
    ['that a message that was read disappears', [DIRECT, READ], { pushes: [push, removal] }],
    ['that a deleted message disappears', [MENTION, DELETED], { pushes: [push, removal] }],
    ['nothing of a mention after which somebody left', [MENTION, LEFT], {}],
    ['the mention after which somebody left', [MENTION, LEFT], { pushes: [push] }],
    ['nothing of a message that moved', [MENTION, MOVED], {}],
    ['nothing of a mention that was taken out', [MENTION, edited({ content: 'edit 2' })], {}],
    ['nothing of a mention of somebody who is elsewhere', [LEFT, MENTION], {}],
    [
      'messages of earlier histories',
      [DIRECT],
      {
        pushes: [{ ...push, message_id: 5 }, push],
        mails: [mail('whisper 1')],
      },
    ],
  ])('%s', (_, log, got) => {
    expect(problemsOf(log, got)).toEqual([])
  })

  test('what comes again if that is possible', () => {
    expect(problemsOf([DIRECT], { pushes: [push, push], mails: [mail('whisper 1')] }, true)).toEqual([])
  })
})

describe('the check of notifications rejects', () => {
  test.each<[string, readonly LogRecord[], Got]>([
    ['a direct message without a push', [DIRECT], { mails: [mail('whisper 1')] }],
    ['a direct message without a mail', [DIRECT], { pushes: [push] }],
    ['a mail with another message', [DIRECT], { pushes: [push], mails: [mail('whisper 11')] }],
    ['a push that comes again', [DIRECT], { pushes: [push, push], mails: [mail('whisper 1')] }],
    ['two mails', [DIRECT], { pushes: [push], mails: [mail('whisper 1'), mail('whisper 1', '<2>')] }],
    [
      'two mails, one with the text of an edit',
      [DIRECT, edited({ content: 'edit 2' })],
      { pushes: [push], mails: [mail('whisper 1'), mail('edit 2')] },
    ],
    ['a message that disappears unread', [DIRECT], { pushes: [push, removal], mails: [mail('whisper 1')] }],
    ['a message that stays although it was read', [DIRECT, READ], { pushes: [push] }],
    ['a message that stays although it was deleted', [DIRECT, DELETED], { pushes: [push] }],
    ['a message that appears after it was removed', [DIRECT, READ], { pushes: [push, removal, push] }],
    ['a mention of somebody who is elsewhere', [LEFT, MENTION], { pushes: [push] }],
    ['a mention of somebody who joined later', [LEFT, MENTION, JOINED], { pushes: [push] }],
    ['a mention that an edit kept', [MENTION, edited({ content: 'edit 2' }, ['mentioned'])], {}],
  ])('%s', (_, log, got) => {
    expect(problemsOf(log, got)).not.toEqual([])
  })

  test("a sender's own message", () => {
    const people = [{ ...ann, pushes: [push] }]
    expect(checkNotifications(people, [DIRECT], false)).toEqual([
      'Ann got message 100 on the device, which is for others',
    ])
  })
})
