import { badRequest, type EndpointInput, type endpoints, type PropagateMode } from '@tms/contracts'
import { isMissingTopic, normalizeContent, normalizeTopic } from '../messages/content.rules.ts'

type EditInput = EndpointInput<typeof endpoints.messaging.editMessage>

/** What stands in place of a text that was edited away. */
const DELETED = '(deleted)'

/** What a request changes; null is what it leaves alone. At least one is not null. */
export interface RequestedEdit {
  readonly content: string | null
  readonly topic: string | null
  readonly channelId: number | null
  readonly mode: PropagateMode
}

/** Where the message stands now. */
interface Present {
  /** Null for a direct message. */
  readonly channelId: number | null
  readonly topic: string
  /** Whether it shows a form, a poll or a list, whose text is not for reading. */
  readonly isWidget: boolean
}

/**
 * Reads what a request changes: what is as it was already counts as left alone. Throws BAD_REQUEST for a request
 * that changes nothing or that contradicts itself.
 */
export function parseEdit(
  input: EditInput,
  present: Present,
  realm: { readonly mandatory_topics: boolean },
): RequestedEdit {
  const mode = input.propagate_mode ?? 'change_one'
  const given = input.topic === undefined ? null : normalizeTopic(input.topic)
  const topic = given === present.topic ? null : given
  const channelId =
    input.stream_id === undefined || input.stream_id === present.channelId ? null : input.stream_id
  if (present.channelId === null) {
    if (given !== null) throw badRequest('Direct messages cannot have topics.')
    if (input.stream_id !== undefined) throw badRequest('Direct messages cannot be moved to channels.')
  }
  const isMove = topic !== null || channelId !== null
  if (mode !== 'change_one' && !isMove) throw badRequest('Invalid propagate_mode without topic edit')
  if (input.content !== undefined && channelId !== null) {
    throw badRequest('Cannot change message content while changing channel')
  }
  if (input.content === undefined && !isMove) throw badRequest('Nothing to change')
  if (topic !== null && realm.mandatory_topics && isMissingTopic(topic)) {
    throw badRequest('Topics are required in this organization')
  }
  return {
    content: input.content === undefined ? null : parseContent(input.content, present),
    topic,
    channelId,
    mode,
  }
}

function parseContent(raw: string, present: Present): string {
  if (present.isWidget) throw badRequest('Widgets cannot be edited.')
  return raw.trim() === '' ? DELETED : normalizeContent(raw)
}
