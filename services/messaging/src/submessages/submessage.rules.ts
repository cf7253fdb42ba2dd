import { badRequest, limits } from '@tms/contracts'

/** In code points, like the content, which may be as long as a message. */
const MAX_TYPE_LENGTH = 100

const MAX_BYTES = limits.maxSubmessagesMib * 1024 * 1024

/** Number and size of the submessages of a message. */
export interface SubmessageUsage {
  readonly count: number
  /** Size of contents and types. */
  readonly bytes: number
}

/** Throws BAD_REQUEST if the submessages of a message exceed the limits. */
export function checkSubmessageUsage({ count, bytes }: SubmessageUsage): void {
  if (count > limits.maxSubmessages) {
    throw badRequest(`A message can have at most ${limits.maxSubmessages} submessages`)
  }
  if (bytes > MAX_BYTES) {
    throw badRequest(`The submessages of a message may have at most ${limits.maxSubmessagesMib} MiB in all`)
  }
}

/** Validates a submessage. Throws BAD_REQUEST if its content is no JSON or too long. */
export function checkSubmessage({ msg_type, content }: { msg_type: string; content: string }): void {
  if (Array.from(msg_type).length > MAX_TYPE_LENGTH) throw badRequest('msg_type is too long')
  if (Array.from(content).length > limits.maxMessageLength) throw badRequest('content is too long')
  try {
    JSON.parse(content)
  } catch {
    throw badRequest('Invalid json for submessage')
  }
}
