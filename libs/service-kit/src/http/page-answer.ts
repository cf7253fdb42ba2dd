import type { ServerResponse } from 'node:http'
import type { AppError } from '@tms/contracts'
import { escapeHtml } from '../html/escape-html.ts'
import { allowOf } from './allow.ts'
import { retryAfterOf } from './retry-after.ts'

/** An HTML page. */
export class PageAnswer {
  readonly status: number
  /** Hashes (`'sha256-…'`) of the inline scripts and styles that may run or apply. */
  readonly html: string
  /** What of a page's own may run or apply: `'sha256-…'` of its scripts and styles. */
  readonly allowed: { readonly scripts: readonly string[]; readonly styles: readonly string[] }
  /** When to try again; null if waiting doesn't help. */
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    html: string,
    allowed: { scripts: readonly string[]; styles: readonly string[] } = { scripts: [], styles: [] },
    retryAfterSeconds: number | null = null,
  ) {
    this.status = status
    this.html = html
    this.allowed = allowed
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const sources = (directive: string, list: readonly string[]) =>
  list.length === 0 ? '' : `; ${directive} ${list.join(' ')}`

/** Answers a page. Its URL may contain a key: no cache keeps it, and no link sends it as a referrer. */
export function replyPage(response: ServerResponse, page: PageAnswer): void {
  const { status, html, allowed, retryAfterSeconds } = page
  if (retryAfterSeconds !== null) response.setHeader('retry-after', Math.ceil(retryAfterSeconds))
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(html),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy':
        "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'" +
        sources('script-src', allowed.scripts) +
        sources('style-src', allowed.styles),
    })
    .end(html)
}

/** Answers an error to somebody who opened a page: the message alone. */
export function replyErrorPage(response: ServerResponse, error: AppError): void {
  const allow = allowOf(error)
  if (allow !== null) response.setHeader('allow', allow)
  const message = escapeHtml(error.message)
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${message}</title><h1>${message}</h1></html>\n`
  replyPage(response, new PageAnswer(error.status, html, undefined, retryAfterOf(error)))
}
