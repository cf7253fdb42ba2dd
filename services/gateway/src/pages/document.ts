import { hash } from 'node:crypto'
import { type Express, trackAnswerBytes } from '@tms/service-kit'

const CACHED_SECONDS = 3_600

export interface Document {
  /** A short name of Express or a full media type. */
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
  /** Called once, on the first request. */
  readonly create: () => string | Buffer
}

/**
 * Adds a document that is the same for everybody for as long as the process lives. All answers share one buffer:
 * however many are being sent to slow clients, they need no more memory. A client that has it already isn't sent it
 * again.
 */
export function addDocument(app: Express, path: string, { type, headers = {}, create }: Document): void {
  let document: { body: Buffer; etag: string } | undefined
  app.get(path, (_request, response) => {
    if (!document) {
      const body = Buffer.from(create())
      document = { body, etag: `"${hash('sha256', body, 'base64url')}"` }
    }
    const { body, etag } = document
    response.set({ etag, 'cache-control': `public, max-age=${CACHED_SECONDS}`, ...headers }).type(type)
    // Over TLS each answer has a copy nevertheless.
    trackAnswerBytes(response, body.length)
    response.send(body)
  })
}
