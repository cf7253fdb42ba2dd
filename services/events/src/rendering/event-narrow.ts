import { badRequest, type MessageRecord, topicOf } from '@tms/contracts'

const OPERATORS = new Set(['stream', 'channel', 'topic', 'sender', 'is'])
/** Narrows to a channel by its ID, which survives renaming. Only for bots' defaults; clients can't send it. */
export const CHANNEL_ID = 'channel_id'
const RESOLVED_PREFIX = '\u2714 '

type Narrow = readonly (readonly [string, string])[]

/** Throws BAD_REQUEST if a queue's narrow contains an unsupported operator. */
export function checkEventNarrow(narrow: readonly (readonly string[])[]): asserts narrow is Narrow {
  for (const [operator] of narrow) {
    if (operator === undefined || !OPERATORS.has(operator))
      throw badRequest(`Operator ${operator} not supported.`)
  }
}

/** The fields of a message that a narrow may compare. */
type NarrowedMessage = Omit<MessageRecord, 'submessages'>

/** Whether a message event passes a queue's narrow: all terms must hold, names compare ignoring case. */
export function matchesNarrow(narrow: Narrow, message: NarrowedMessage, flags: readonly string[]): boolean {
  return narrow.every(([operator, operand]) => {
    switch (operator) {
      case 'stream':
      case 'channel':
        return typeof message.display_recipient === 'string' && same(message.display_recipient, operand)
      case CHANNEL_ID:
        return message.stream_id === Number(operand)
      case 'topic':
        return message.type === 'stream' && same(message.subject, topicOf(operand))
      case 'sender':
        return same(message.sender_email, operand)
      default:
        return matchesIs(operand, message, flags)
    }
  })
}

function matchesIs(operand: string, message: NarrowedMessage, flags: readonly string[]): boolean {
  switch (operand) {
    case 'dm':
    case 'private':
      return message.type === 'private'
    case 'starred':
      return flags.includes('starred')
    case 'unread':
      return !flags.includes('read')
    case 'mentioned':
    case 'alerted':
      return flags.includes('mentioned')
    case 'resolved':
      return message.type === 'stream' && message.subject.startsWith(RESOLVED_PREFIX)
    default:
      // Other values match every message: existing clients rely on that.
      return true
  }
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
