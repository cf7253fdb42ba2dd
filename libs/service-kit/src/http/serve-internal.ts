import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, badRequest, type InternalEndpoint, type JsonFields } from '@tms/contracts'
import { describeIssue, wordIssue } from '../validation/describe-issue.ts'
import { onCutOff } from './cut-off.ts'
import { decodeUtf8, readBody } from './form.ts'
import type { StreamAnswer } from './handler.ts'
import { replyJson, replyJsonWithTail } from './reply.ts'

/** An internal endpoint with its handler, types erased for the dispatcher. */
export interface InternalRoute<Context> {
  readonly endpoint: InternalEndpoint
  readonly handle: (
    body: unknown,
    context: Context,
    requestId: string,
    ...content: Readable[]
  ) => Promise<unknown>
}

/** Decodes a call between services, runs its handler and answers. Throws what the handler throws. */
export async function serveInternalCall<Context>(
  { endpoint, handle }: InternalRoute<Context>,
  { request, response, query }: { request: IncomingMessage; response: ServerResponse; query: string },
  context: Context,
  requestId: string,
): Promise<void> {
  const goesUp = endpoint.stream === 'up'
  const text = goesUp
    ? (new URLSearchParams(query).get('parameters') ?? '')
    : decodeUtf8(await readBody(request))
  const parsed = endpoint.body.safeParse(parseJson(text), { error: wordIssue })
  if (!parsed.success) throw badRequest(describeIssue('body', parsed.error))
  const content = goesUp ? contentOf(request) : null
  const answer = await handle(parsed.data, context, requestId, ...(content ? [content] : [])).finally(() =>
    content?.destroy(),
  )
  if (endpoint.stream === 'down') return replyStream(response, answer as StreamAnswer)
  if (endpoint.tail === undefined) return replyJson(response, 200, answer)
  const { [endpoint.tail]: tail, ...others } = answer as Record<string, JsonFields>
  return replyJsonWithTail(response, others, [endpoint.tail, tail as JsonFields])
}

/**
 * The bytes of a request. Once it is destroyed, the rest is dropped as it comes, so that a sender that is refused in
 * the middle gets to read why, and its leaving is noticed.
 */
function contentOf(request: IncomingMessage): Readable {
  const content = new PassThrough()
  // The reader gets the error as well.
  content.on('error', () => {})
  content.once('close', () => {
    request.unpipe(content)
    request.resume()
  })
  request.pipe(content)
  onCutOff(request, (refusal) => content.destroy(refusal))
  return content
}

/** Answers bytes as they come; if either side breaks off, so does the other. */
async function replyStream(response: ServerResponse, { content, size }: StreamAnswer): Promise<void> {
  const length = size === undefined ? {} : { 'content-length': size }
  response.writeHead(200, { 'content-type': 'application/octet-stream', ...length })
  await pipeline(content, response)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('BAD_REQUEST', { message: 'The body is not JSON', cause })
  }
}
