/** A message of `text/event-stream`. */
export interface ServerSentEvent {
  /** `message` unless the server names it. */
  readonly event: string
  readonly data: string
}

/** Nothing arrives, not even comments: the connection is lost, or a proxy collects what it should pass on. */
export class SilentStreamError extends Error {}

/**
 * Reads messages as they arrive, without one that breaks off. Throws `SilentStreamError` if nothing arrives for `silentMs`, and
 * what the platform throws if the connection breaks. Disconnects when the loop is left.
 */
export async function* readServerSentEvents(
  { body }: Response,
  silentMs: number,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), silentMs)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const parsed = parse(message)
        if (parsed !== null) yield parsed
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function withinTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilentStreamError(`nothing arrived for ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}

/** Null for a comment. */
function parse(message: string): ServerSentEvent | null {
  let event = 'message'
  const data: string[] = []
  for (const line of message.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice('event: '.length)
    else if (line.startsWith('data: ')) data.push(line.slice('data: '.length))
  }
  return data.length === 0 ? null : { event, data: data.join('\n') }
}
