import type { Duplex } from 'node:stream'
import type { RequestLinkAnswers, RequestLinkRequests } from '@tms/contracts'
import { FrameConnection } from '@tms/service-kit'

/** A request that came over a link. */
interface LinkedRequest {
  readonly number: number
  readonly line: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The end of a request link at a fake replica. */
export interface FakeRequestLink {
  readonly socket: Duplex
  /** What the gateway has sent so far. */
  readonly requests: LinkedRequest[]
  /** How many requests each frame had. */
  readonly frames: number[]
  readonly cancelled: number[]
  readonly wanted: number[]
  send(answers: Partial<RequestLinkAnswers>, texts?: readonly string[]): void
  /** Answers a request with success, and these fields. */
  answer(request: LinkedRequest | undefined, fields?: object): void
}

const NOTHING: RequestLinkAnswers = { answers: [], parts: [], broken: [], isLeaving: false }

export function fakeRequestLink(socket: Duplex, head: Buffer): FakeRequestLink {
  const link = { requests: [], frames: [], cancelled: [], wanted: [] } as Pick<
    FakeRequestLink,
    'requests' | 'frames' | 'cancelled' | 'wanted'
  >
  const connection = new FrameConnection(socket, head, {
    silentMs: 60_000,
    onFrame: ([text = '', ...bodies]) => {
      const { requests, cancelled, wanted } = JSON.parse(text) as RequestLinkRequests
      link.requests.push(...requests.map((each, index) => requestOf(each, bodies[index] ?? '')))
      if (requests.length > 0) link.frames.push(requests.length)
      link.cancelled.push(...cancelled)
      link.wanted.push(...wanted)
    },
    onEnd: () => {},
  })
  const send: FakeRequestLink['send'] = (answers, texts = []) =>
    connection.send([JSON.stringify({ ...NOTHING, ...answers }), ...texts])
  return {
    ...{ ...link, socket, send },
    answer: (request, fields = {}) => {
      const text = JSON.stringify({ result: 'success', msg: '', ...fields })
      const headers = ['content-type', 'application/json', 'content-length', `${Buffer.byteLength(text)}`]
      send({ answers: [[request?.number ?? 0, 200, headers, true]] }, [text])
    },
  }
}

function requestOf(
  [number, method, url, headers]: RequestLinkRequests['requests'][number],
  body: string,
): LinkedRequest {
  const named: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) named[headers[at] ?? ''] = headers[at + 1] ?? ''
  return { number, line: `${method} ${url}`, headers: named, body }
}
