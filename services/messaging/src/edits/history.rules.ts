import type { EditHistoryEntry, EndpointOutput, endpoints } from '@tms/contracts'
import { createHtmlDiffer } from './html-diff.ts'

/** A version of a message, with the change that led to it. */
export type Version = EndpointOutput<typeof endpoints.messaging.getMessageHistory>['message_history'][number]

/** A message with its edits, newest first. */
export interface Edited {
  readonly senderId: number
  /** UNIX seconds. */
  readonly timestamp: number
  readonly topic: string
  readonly content: string
  readonly html: string
  readonly history: readonly EditHistoryEntry[]
}

/**
 * Generates every version of a message, newest first, by undoing edit after edit. Comparing versions takes time,
 * so each is computed on demand.
 */
export function* versionsOf({
  senderId,
  timestamp,
  topic,
  content,
  html,
  history,
}: Edited): Generator<Version, void> {
  const diffHtml = createHtmlDiffer()
  let version = { topic, content, rendered_content: html }
  for (const entry of history) {
    const { user_id, timestamp, prev_topic, prev_stream, stream, prev_content, prev_rendered_content } = entry
    const before = {
      topic: prev_topic ?? version.topic,
      content: prev_content ?? version.content,
      rendered_content: prev_rendered_content ?? version.rendered_content,
    }
    yield {
      ...version,
      user_id,
      timestamp,
      ...(prev_topic === undefined ? {} : { prev_topic }),
      ...(prev_stream === undefined || stream === undefined ? {} : { prev_stream, stream }),
      ...(prev_content === undefined
        ? {}
        : {
            prev_content,
            prev_rendered_content: before.rendered_content,
            content_html_diff: diffHtml(before.rendered_content, version.rendered_content),
          }),
    }
    version = before
  }
  yield { ...version, user_id: senderId, timestamp }
}
