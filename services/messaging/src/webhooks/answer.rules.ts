import { WebhookInterface } from '@tms/contracts'

/** What an answer means. `fault` is in words that follow "because". */
export type Meaning =
  | { readonly kind: 'reply'; readonly content: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'fault'; readonly fault: string; readonly mayPass: boolean }

const SILENCE: Meaning = { kind: 'silence' }
/** Half of a surrogate pair, which JSON can say and no text can keep. */
const HALF_CHARACTER = /\p{Surrogate}/gu

/** What an outgoing webhook says by its answer, as the format of its requests has it. */
export function meaningOf(
  { status, body }: { readonly status: number; readonly body: string },
  serviceInterface: number,
): Meaning {
  if (status < 200 || status > 299) return faultOf(status)
  if (body.trim() === '') return SILENCE
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return lasting('its answer is not JSON')
  }
  // Servers for bots that want to say nothing answer either.
  if (value === '' || value === null) return SILENCE
  if (typeof value !== 'object' || Array.isArray(value)) return lasting('its answer is no JSON object')
  return replyIn(value as Readonly<Record<string, unknown>>, serviceInterface)
}

/** A server that is overloaded, away or in error may be well in a moment; what refuses or redirects goes on doing so. */
function faultOf(status: number): Meaning {
  const mayPass = status >= 500 || status === 429 || status === 408
  const isRedirect = status >= 300 && status < 400
  const more = isRedirect ? ', a redirection, which is not followed' : ''
  return { kind: 'fault', fault: `it answered with the status ${status}${more}`, mayPass }
}

function replyIn(answer: Readonly<Record<string, unknown>>, serviceInterface: number): Meaning {
  if (answer['response_not_required'] === true) return SILENCE
  const names = serviceInterface === WebhookInterface.slack ? ['text'] : ['response_string', 'content']
  const name = names.find((each) => answer[each] !== undefined && answer[each] !== null)
  if (name === undefined) return SILENCE
  const content = answer[name]
  if (typeof content !== 'string') return lasting(`"${name}" of its answer is no text`)
  return content.trim() === ''
    ? SILENCE
    : { kind: 'reply', content: content.replace(HALF_CHARACTER, '\ufffd') }
}

const lasting = (fault: string): Meaning => ({ kind: 'fault', fault, mayPass: false })
