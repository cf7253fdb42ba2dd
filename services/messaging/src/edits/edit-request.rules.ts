import { badRequest, type EndpointInput, type endpoints } from '@tms/contracts'
import { checkMandatoryTopic, normalizeContent, normalizeTopic } from '../kernel/text/content.rules.ts'
import { resolvesEmptyTopic } from '../moves/move-notices.rules.ts'
import type { RequestedMove } from '../moves/plan-move.ts'

type EditInput = EndpointInput<typeof endpoints.messaging.editMessage>

/** Replaces a text that is edited to be empty. */
const DELETED = '(deleted)'

/** A parsed edit; null for what it leaves unchanged. At least one field is not null. */
export interface RequestedEdit extends RequestedMove {
  readonly content: string | null
}

/** The message before the edit. */
interface CurrentMessage {
  /** Null for a direct message. */
  readonly channelId: number | null
  readonly topic: string
  /** It is a form, a poll or a to-do list, whose text is not shown. */
  readonly isWidget: boolean
}

/**
 * Parses an edit. Values equal to the current ones count as unchanged. Throws BAD_REQUEST for a request that
 * changes nothing or is contradictory.
 */
export function parseEdit(
  input: EditInput,
  currentMessage: CurrentMessage,
  realm: { readonly mandatory_topics: boolean },
): RequestedEdit {
  const mode = input.propagate_mode ?? 'change_one'
  // Messages from before the empty topic may be in one that is named like it.
  const isRepeated = input.topic?.trim() === currentMessage.topic
  const requestedTopic =
    input.topic === undefined ? null : isRepeated ? currentMessage.topic : normalizeTopic(input.topic)
  const topic = requestedTopic === currentMessage.topic ? null : requestedTopic
  const channelId =
    input.stream_id === undefined || input.stream_id === currentMessage.channelId ? null : input.stream_id
  if (currentMessage.channelId === null) {
    if (requestedTopic !== null) throw badRequest('Direct messages cannot have topics.')
    if (input.stream_id !== undefined) throw badRequest('Direct messages cannot be moved to channels.')
  }
  const isMove = topic !== null || channelId !== null
  if (mode !== 'change_one' && !isMove) throw badRequest('Invalid propagate_mode without topic edit')
  if (input.content !== undefined && channelId !== null) {
    throw badRequest('Cannot change message content while changing channel')
  }
  if (input.content === undefined && !isMove) throw badRequest('Nothing to change')
  if (topic !== null) {
    checkMandatoryTopic(realm, topic)
    if (resolvesEmptyTopic(currentMessage.topic, topic)) {
      throw badRequest('The empty topic cannot be marked as resolved')
    }
  }
  return {
    content: input.content === undefined ? null : parseContent(input.content, currentMessage),
    topic,
    channelId,
    mode,
  }
}

function parseContent(raw: string, currentMessage: CurrentMessage): string {
  if (currentMessage.isWidget) throw badRequest('Widgets cannot be edited.')
  return raw.trim() === '' ? DELETED : normalizeContent(raw)
}
