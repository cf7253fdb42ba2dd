import type { EditHistoryEntry, EndpointOutput, endpoints } from '@tms/contracts'
import { createHtmlDiffer } from './html-diff.ts'

/** A version of a message, with what changed it into this. */
export type Version = EndpointOutput<typeof endpoints.messaging.getMessageHistory>['message_history'][number]

/** A message as it is now, and how it came to be so, newest first. */
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
 * Every version of a message, newest first: goes back from what it is now, undoing edit by edit. To say what an edit
 * changed takes time, so each version is made when it is asked for.
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
  let now = { topic, content, rendered_content: html }
  for (const entry of history) {
    const { user_id, timestamp, prev_topic, prev_stream, stream, prev_content, prev_rendered_content } = entry
    const before = {
      topic: prev_topic ?? now.topic,
      content: prev_content ?? now.content,
      rendered_content: prev_rendered_content ?? now.rendered_content,
    }
    yield {
      ...now,
      user_id,
      timestamp,
      ...(prev_topic === undefined ? {} : { prev_topic }),
      ...(prev_stream === undefined || stream === undefined ? {} : { prev_stream, stream }),
      ...(prev_content === undefined
        ? {}
        : {
            prev_content,
            prev_rendered_content: before.rendered_content,
            content_html_diff: diffHtml(before.rendered_content, now.rendered_content),
          }),
    }
    now = before
  }
  yield { ...now, user_id: senderId, timestamp }
}
