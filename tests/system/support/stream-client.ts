import type { ClientEvent } from '@tms/test-kit'

/** How a stream ended: the server ended it, said that another has the queue, or the connection broke. */
export type StreamEnding = 'ended' | 'superseded' | 'broken'

/** A client of `GET /events/stream` that keeps what it receives, as whole messages. */
export class StreamClient {
  readonly events: ClientEvent[] = []
  readonly ended: Promise<StreamEnding>
  readonly #response: Response
  readonly #abort: AbortController
  #listeners: (() => void)[] = []

  constructor(response: Response, abort: AbortController) {
    this.#response = response
    this.#abort = abort
    this.ended = this.#read()
  }

  /** Resolves once the condition holds; checks it after every event. Rejects after a minute. */
  async until(isTrue: () => boolean): Promise<void> {
    const deadline = Date.now() + 60_000
    while (!isTrue()) {
      if (Date.now() > deadline)
        throw new Error(`timed out with ${JSON.stringify(this.events.map(({ id }) => id))}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000)
        this.#listeners.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  close(): void {
    this.#abort.abort()
  }

  async #read(): Promise<StreamEnding> {
    let text = ''
    try {
      const decoder = new TextDecoder()
      for await (const chunk of this.#response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const field = (name: string) =>
            lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
          if (field('event') === 'superseded') return 'superseded'
          const data = field('data')
          if (data === undefined) continue
          const event = JSON.parse(data) as ClientEvent
          if (String(event.id) !== field('id'))
            throw new Error(`the message of ${data} has the ID ${field('id')}`)
          this.events.push(event)
          for (const listener of this.#listeners.splice(0)) listener()
        }
      }
      return 'ended'
    } catch (err) {
      if (err instanceof SyntaxError || (err instanceof Error && err.message.startsWith('the message')))
        throw err
      return 'broken'
    }
  }
}

/** A stream, or the refusal. */
export type OpenedStream =
  | { readonly stream: StreamClient; readonly status: 200; readonly body: null }
  | { readonly stream: null; readonly status: number; readonly body: Record<string, unknown> }

/** Opens a stream by a fetch whose URL begins with `/api/v1`. */
export async function openStream(
  fetchPath: (path: string, init: RequestInit) => Promise<Response>,
  queueId: string,
  {
    last,
    header,
    extra = '',
    signal,
  }: { last?: number; header?: number | string; extra?: string; signal?: AbortSignal } = {},
): Promise<OpenedStream> {
  const abort = new AbortController()
  signal?.addEventListener('abort', () => abort.abort(), { once: true })
  const lastId = last === undefined ? '' : `&last_event_id=${last}`
  const headers: Record<string, string> = header === undefined ? {} : { 'last-event-id': String(header) }
  const path = `/api/v1/events/stream?queue_id=${encodeURIComponent(queueId)}${lastId}${extra}`
  const response = await fetchPath(path, { headers, signal: abort.signal })
  if (response.status === 200) return { stream: new StreamClient(response, abort), status: 200, body: null }
  return { stream: null, status: response.status, body: (await response.json()) as Record<string, unknown> }
}
