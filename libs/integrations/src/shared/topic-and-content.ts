import { z } from 'zod'
import { message, type Outcome } from '../kernel/integration.ts'
import { PayloadError } from '../kernel/payload-error.ts'
import { markdown } from './markdown.ts'

const text = z.union([z.string(), z.number()]).transform(String).nullish()

/** A payload that its sender's user fills in: topic, or subject, and content. */
export const topicAndContent = z.looseObject({ topic: text, subject: text, content: text })

/** Throws PayloadError if one of the two is missing. */
export function messageWithTopic(
  { topic, subject, content }: z.output<typeof topicAndContent>,
  event: string | null = null,
): Outcome {
  const title = topic ?? subject
  if (title === null || title === undefined) throw new PayloadError('topic: missing')
  if (content === null || content === undefined) throw new PayloadError('content: missing')
  return message(event, title, markdown(content))
}
