import type { AppError } from '@tms/contracts'
import { escapeHtml } from '../html/escape-html.ts'
import { allowOf } from './allow.ts'
import type { AnswerTarget } from './answer-target.ts'
import { retryAfterOf } from './retry-after.ts'

/** What a page tells the browser beside its content. */
export interface BrowserState {
  /** Values of `set-cookie`. */
  readonly cookies?: readonly string[]
  /** For a page whose URL has no key: its forms are sent with their origin, which shows that they are its own. */
  readonly hasOwnForms?: boolean
}

/** An HTML page. */
export class PageAnswer {
  readonly status: number
  /** Hashes (`'sha256-…'`) of the inline scripts and styles that may run or apply. */
  readonly html: string
  /** What of a page's own may run or apply: `'sha256-…'` of its scripts and styles. */
  readonly allowed: { readonly scripts: readonly string[]; readonly styles: readonly string[] }
  /** When to try again; null if waiting doesn't help. */
  readonly retryAfterSeconds: number | null
  /** What else the browser is to know: cookies, and to which pages its URL may be sent as a referrer. */
  readonly browser: BrowserState

  constructor(
    status: number,
    html: string,
    allowed: { scripts: readonly string[]; styles: readonly string[] } = { scripts: [], styles: [] },
    retryAfterSeconds: number | null = null,
    browser: BrowserState = {},
  ) {
    this.status = status
    this.html = html
    this.allowed = allowed
    this.retryAfterSeconds = retryAfterSeconds
    this.browser = browser
  }
}

const sources = (directive: string, list: readonly string[]) =>
  list.length === 0 ? '' : `; ${directive} ${list.join(' ')}`

/** Answers a page. Its URL may contain a key: no cache keeps it, and no link sends it as a referrer. */
export function replyPage(response: AnswerTarget, page: PageAnswer): void {
  const { status, html, allowed, retryAfterSeconds, browser } = page
  if (browser.cookies?.length) response.setHeader('set-cookie', browser.cookies)
  if (retryAfterSeconds !== null) response.setHeader('retry-after', Math.ceil(retryAfterSeconds))
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(html),
      'cache-control': 'no-store',
      'referrer-policy': browser.hasOwnForms ? 'same-origin' : 'no-referrer',
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
export function replyErrorPage(response: AnswerTarget, error: AppError): void {
  const allow = allowOf(error)
  if (allow !== null) response.setHeader('allow', allow)
  const message = escapeHtml(error.message)
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${message}</title><h1>${message}</h1></html>\n`
  replyPage(response, new PageAnswer(error.status, html, undefined, retryAfterOf(error)))
}
