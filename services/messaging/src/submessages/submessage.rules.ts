import { badRequest, limits } from '@tms/contracts'

/** In code points, as the content, which may be as long as a message. */
const MAX_TYPE_LENGTH = 100

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
