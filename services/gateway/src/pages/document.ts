import { hash } from 'node:crypto'
import { type Express, trackAnswerBytes } from '@tms/service-kit'

const CACHED_SECONDS = 3_600

export interface Document {
  /** As a name of Express or in full. */
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
  /** Called once, when somebody asks for it. */
  readonly create: () => string | Buffer
}

/**
 * Adds what is the same for everybody and for as long as the process lives. All answers share one copy: however many are on
 * their way to clients who don't take them, they need no more. Who has it already isn't sent it again.
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
    // Over TLS each has a copy nevertheless.
    trackAnswerBytes(response, body.length)
    response.send(body)
  })
}
