import { type EventFilter, passes } from './kernel/event-filter.ts'
import type { AnyIntegration, IntegrationMessage, SignatureScheme } from './kernel/integration.ts'
import { PayloadError } from './kernel/payload-error.ts'
import { parsePayload } from './shared/parse-payload.ts'

/** A request of a sender as it arrived. */
export interface IncomingRequest {
  readonly body: Buffer
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** What the address says beside the key. */
  readonly query: Readonly<Record<string, string>>
  readonly hasTopic: boolean
  readonly filter: EventFilter
  /** Shared with the sender; null if signatures aren't checked. */
  readonly secret: string | null
  readonly now: Date
}

/** What a request means. */
export type Received =
  | {
      readonly kind: 'messages'
      readonly messages: readonly IntegrationMessage[]
      /** The sender repeats it when it sends the same again; null if it gives none. */
      readonly deliveryId: string | null
    }
  | { readonly kind: 'unsupported'; readonly event: string }
  /** The body isn't JSON. */
  | { readonly kind: 'not_json' }
  /** The form has no field `payload`. */
  | { readonly kind: 'no_payload' }
  /** The signature is missing or wrong. */
  | { readonly kind: 'bad_signature'; readonly header: string }

/** Makes messages of a request. Throws PayloadError for a payload that contradicts the form of its sender. */
export function receive(integration: AnyIntegration, request: IncomingRequest): Received {
  const { headers, filter, hasTopic, secret } = request
  const { signature } = integration
  if (secret !== null && !signature) throw new PayloadError(`${integration.displayName} signs nothing`)
  if (signature && secret !== null && !isSigned(signature, secret, request))
    return { kind: 'bad_signature', header: signature.header }
  const payload = payloadOf(integration, request)
  if (payload === null) return { kind: 'no_payload' }
  if (payload.json === undefined) return { kind: 'not_json' }
  const data = parsePayload(integration.payload, payload.json)
  const parameters = Object.fromEntries(
    Object.keys(integration.parameters).flatMap((name) => {
      const value = request.query[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
  const outcome = integration.format({ payload: data, headers, hasTopic, parameters })
  if (outcome.kind === 'unsupported') return outcome
  const messages = outcome.messages.filter(
    ({ event, content }) => content.trim() !== '' && passes(event, filter),
  )
  const { deliveryIdHeader } = integration
  return {
    kind: 'messages',
    messages: upTo(MAX_MESSAGES, messages).map(asStorable),
    deliveryId: (deliveryIdHeader && headers[deliveryIdHeader]) || integration.deliveryId(data),
  }
}

/** Of one delivery: senders group what belongs together, and a rate limit counts deliveries. */
const MAX_MESSAGES = 50
/** More than any message may have; what is longer is cut by the send. */
const [MAX_CONTENT_LENGTH, MAX_TOPIC_LENGTH] = [25_000, 500]

/** The first messages, and one that says how many are left out. */
function upTo(max: number, messages: readonly IntegrationMessage[]): readonly IntegrationMessage[] {
  const last = messages[max - 1]
  if (last === undefined || messages.length === max) return messages
  const left = messages.length - max + 1
  const notice = { ...last, event: null, content: `${left} more messages of this delivery are not shown.` }
  return [...messages.slice(0, max - 1), notice]
}

/** Without the characters that messages can't contain. */
const asStorable = (message: IntegrationMessage): IntegrationMessage => ({
  ...message,
  topic: message.topic
    .slice(0, MAX_TOPIC_LENGTH)
    .replace(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu, ' '),
  content: message.content.slice(0, MAX_CONTENT_LENGTH).replaceAll('\0', '\ufffd'),
  ...(message.channel === undefined ? {} : { channel: message.channel.replaceAll('\0', '\ufffd') }),
})

function isSigned(signature: SignatureScheme, secret: string, request: IncomingRequest): boolean {
  const header = request.headers[signature.header]
  return header !== undefined && signature.verify({ header, body: request.body, secret, now: request.now })
}

/**
 * The payload of a request: JSON whatever the content type says, or a form's field where the integration takes one.
 * `json` is undefined if it isn't JSON; null if there is no such field.
 */
function payloadOf({ body }: AnyIntegration, request: IncomingRequest): { readonly json: unknown } | null {
  const text = request.body.toString('utf8')
  const type = request.headers['content-type'] ?? ''
  if (body === 'json' || /^application\/json\b/i.test(type)) return { json: parse(text) }
  const form = new URLSearchParams(text)
  if (body === 'fields') return { json: Object.fromEntries(form) }
  const payload = form.get('payload') ?? request.query.payload
  return payload === undefined ? null : { json: parse(payload) }
}

function parse(text: string): unknown {
  if (isNestedTooDeeply(text)) throw new PayloadError(`payload: more than ${MAX_DEPTH} levels`)
  try {
    return JSON.parse(text, /__proto__|\\u005f/i.test(text) ? withoutPrototype : undefined) as unknown
  } catch {
    return undefined
  }
}

/** Leaves out what would become the prototype of an object when its fields are copied. */
const withoutPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value)

/** No sender needs a tenth of it; some thousands would exhaust the stack of what reads them. */
const MAX_DEPTH = 200

function isNestedTooDeeply(text: string): boolean {
  let [depth, isInString] = [0, false]
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') isInString = !isInString
    else if (isInString) {
      if (character === '\\') i++
    } else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}
