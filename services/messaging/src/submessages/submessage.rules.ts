import { badRequest, limits } from '@tms/contracts'

/** In code points, as the content, which may be as long as a message. */
const MAX_TYPE_LENGTH = 100

const MAX_BYTES = limits.maxSubmessagesMib * 1024 * 1024

/** What is attached to a message. */
export interface Attached {
  readonly count: number
  /** Of contents and types. */
  readonly bytes: number
}

/** Throws BAD_REQUEST where what is attached to a message, with what is new, is more than it may have. */
export function checkAttached({ count, bytes }: Attached): void {
  if (count > limits.maxSubmessages) {
    throw badRequest(`A message can have at most ${limits.maxSubmessages} submessages`)
  }
  if (bytes > MAX_BYTES) {
    throw badRequest(`The submessages of a message may have at most ${limits.maxSubmessagesMib} MiB in all`)
  }
}

/** Checks what a client wants to attach to a message. Throws BAD_REQUEST for content that is no JSON, or too long. */
export function checkSubmessage({ msg_type, content }: { msg_type: string; content: string }): void {
  if (Array.from(msg_type).length > MAX_TYPE_LENGTH) throw badRequest('msg_type is too long')
  if (Array.from(content).length > limits.maxMessageLength) throw badRequest('content is too long')
  try {
    JSON.parse(content)
  } catch {
    throw badRequest('Invalid json for submessage')
  }
}
