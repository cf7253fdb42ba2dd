import { WebhookInterface, widgetContent } from '@tms/contracts'
import type { Widget } from '../submessages/widget.rules.ts'

/** What an answer means. `fault` is worded to follow "because". */
export type WebhookAnswerMeaning =
  | { readonly kind: 'reply'; readonly content: string; readonly widget: Widget | null }
  | { readonly kind: 'no_reply' }
  | { readonly kind: 'fault'; readonly fault: string; readonly isTransient: boolean }

const NO_REPLY: WebhookAnswerMeaning = { kind: 'no_reply' }
/** Half of a surrogate pair, which JSON allows and PostgreSQL can't store. */
const HALF_CHARACTER = /\p{Surrogate}/gu

/** Reads an answer in the format of the webhook's requests. */
export function parseAnswer(
  { status, body }: { readonly status: number; readonly body: string },
  serviceInterface: number,
): WebhookAnswerMeaning {
  if (status < 200 || status > 299) return faultOf(status)
  if (body.trim() === '') return NO_REPLY
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return lasting('its answer is not JSON')
  }
  // Many bot servers answer with these when they have no reply.
  if (value === '' || value === null) return NO_REPLY
  if (typeof value !== 'object' || Array.isArray(value)) return lasting('its answer is no JSON object')
  return replyIn(value as Readonly<Record<string, unknown>>, serviceInterface)
}

/** An overloaded or failing server may recover in a moment; one that refuses or redirects will do so again. */
function faultOf(status: number): WebhookAnswerMeaning {
  const isTransient = status >= 500 || status === 429 || status === 408
  const isRedirect = status >= 300 && status < 400
  const more = isRedirect ? ', a redirection, which is not followed' : ''
  return { kind: 'fault', fault: `it answered with the status ${status}${more}`, isTransient }
}

function replyIn(answer: Readonly<Record<string, unknown>>, serviceInterface: number): WebhookAnswerMeaning {
  if (answer['response_not_required'] === true) return NO_REPLY
  const names = serviceInterface === WebhookInterface.slack ? ['text'] : ['response_string', 'content']
  const name = names.find((each) => answer[each] !== undefined && answer[each] !== null)
  if (name === undefined) return NO_REPLY
  const content = answer[name]
  if (typeof content !== 'string') return lasting(`"${name}" of its answer is no text`)
  if (content.trim() === '') return NO_REPLY
  const widget = widgetIn(answer)
  if (widget === 'invalid') return lasting('"widget_content" of its answer is no widget')
  return { kind: 'reply', content: content.replace(HALF_CHARACTER, '\ufffd'), widget }
}

/** The form, poll or list that an answer gives its reply: an object, or its JSON as older bots send it. */
function widgetIn({ widget_content: sent }: Readonly<Record<string, unknown>>): Widget | null | 'invalid' {
  if (sent === undefined || sent === null || sent === '') return null
  let value = sent
  try {
    if (typeof sent === 'string') value = JSON.parse(sent)
  } catch {
    return 'invalid'
  }
  const { data } = widgetContent.safeParse(value)
  return data ?? 'invalid'
}

const lasting = (fault: string): WebhookAnswerMeaning => ({ kind: 'fault', fault, isTransient: false })
