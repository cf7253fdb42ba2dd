import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type ClientTls, isHttps, requestBy, withPublicAuthorities } from '@tms/service-kit'

/** A user waits for a page meanwhile. */
const TIMEOUT_MS = 5_000
/** An answer has some twenty short values. */
const MAX_ANSWER_BYTES = 64 * 1024

/** A BigBlueButton server, by its API. */
export interface BigBlueButton {
  /** Creates a meeting, unless it is running already; returns its creation time. Throws `CallServerError`. */
  createMeeting(meeting: {
    readonly meetingId: string
    readonly name: string
    readonly isVoiceOnly: boolean
  }): Promise<string>
  /** The URL that joins a meeting created at that time, and no later one. */
  joinUrlOf(joining: {
    readonly meetingId: string
    readonly fullName: string
    readonly role: 'MODERATOR' | 'VIEWER'
    readonly createTime: string
  }): string
}

/** The call server failed or refused a request. */
export class CallServerError extends Error {}

/**
 * Each call of the API is a URL with a signed query: the SHA-256 of the call's name, the query exactly as in the URL,
 * and the secret. Certificates of public authorities and of those in `tls` are trusted.
 */
export function createBigBlueButton({
  url,
  secret,
  tls,
  timeoutMs = TIMEOUT_MS,
}: {
  url: string
  secret: string
  tls: ClientTls
  timeoutMs?: number
}): BigBlueButton {
  const base = apiUrlOf(url)
  const { ca } = withPublicAuthorities(tls)
  const signedUrl = (call: string, parameters: Readonly<Record<string, string>>): string => {
    const query = Object.entries(parameters)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
    const checksum = createHash('sha256').update(`${call}${query}${secret}`).digest('hex')
    return `${base}/${call}?${query}&checksum=${checksum}`
  }
  return {
    createMeeting: async ({ meetingId, name, isVoiceOnly }) => {
      const createUrl = signedUrl('create', {
        meetingID: meetingId,
        name,
        ...(isVoiceOnly && { lockSettingsDisableCam: 'true' }),
      })
      return createTimeOf(await fetchText(createUrl, ca === undefined ? {} : { ca }, timeoutMs))
    },
    joinUrlOf: ({ meetingId, fullName, role, createTime }) =>
      signedUrl('join', { meetingID: meetingId, fullName, role, createTime }),
  }
}

/** The URL of the API; operators may include `/api` in the setting or leave it out. */
function apiUrlOf(url: string): string {
  return `${url.replace(/\/+$/, '').replace(/\/api$/, '')}/api`
}

/** The creation time of a meeting, from the XML that answers its creation. */
function createTimeOf(xml: string): string {
  const valueOf = (name: string) =>
    new RegExp(`<${name}>\\s*(?:<!\\[CDATA\\[)?([^<\\]]*?)(?:\\]\\]>)?\\s*</${name}>`).exec(xml)?.[1]
  const createTime = valueOf('createTime')
  if (valueOf('returncode') === 'SUCCESS' && createTime !== undefined && /^\d{1,16}$/.test(createTime))
    return createTime
  const reason = valueOf('messageKey') || 'an invalid answer'
  throw new CallServerError(`BigBlueButton refused to create a meeting: ${reason}`)
}

function fetchText(url: string, tls: ClientTls, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs)
  const fail = (err: unknown) =>
    err instanceof CallServerError
      ? err
      : new CallServerError('BigBlueButton could not be reached', { cause: err })
  return new Promise<string>((resolve, reject) => {
    const request = requestBy(isHttps(url))(url, { agent: false, signal, ...(isHttps(url) ? tls : {}) })
    request.once('error', (err) => reject(fail(err)))
    request.once('response', (response) => {
      read(response).then(resolve, (err) => reject(fail(err)))
    })
    request.end()
  })
}

async function read(response: IncomingMessage): Promise<string> {
  if (response.statusCode !== 200) {
    response.resume()
    throw new CallServerError(`BigBlueButton answered with status ${response.statusCode}`)
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new CallServerError('BigBlueButton answered too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
