import { Html, html } from '../html/html.ts'
import { type BrowserState, PageAnswer } from '../http/page-answer.ts'
import { allowed, hashOf, script, style } from './style.ts'

/** The organization that a page belongs to. */
export interface PageOwner {
  readonly name: string
  readonly url: string
}

/** A refusal that may be tried again: the message for users, and the delay for programs. */
export interface Wait {
  readonly alert: string
  readonly retryAfterSeconds: number
}

/** A complete page of an organization. `title` is also its heading. */
export function pageOf(
  realm: PageOwner,
  {
    status = 200,
    title,
    body,
    retryAfterSeconds = null,
    leadsTo = null,
    script: own = null,
    browser = {},
  }: {
    status?: number
    title: string
    body: Html
    retryAfterSeconds?: number | null
    /** URL to which browsers continue by themselves. */
    leadsTo?: string | null
    /** What this page does beyond the script of all pages. */
    script?: string | null
    browser?: BrowserState
  },
): PageAnswer {
  const initial = [...realm.name][0]?.toUpperCase() ?? ''
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${
    leadsTo !== null &&
    html`
<meta http-equiv="refresh" content="0; url=${leadsTo}">`
  }
<title>${title} · ${realm.name}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<p class="realm"><span aria-hidden="true">${initial}</span>${realm.name}</p>
<h1>${title}</h1>
${body}
</main>
<script>${new Html(script)}</script>${own !== null && html`<script>${new Html(own)}</script>`}
</body>
</html>
`
  const scripts = own === null ? allowed.scripts : [...allowed.scripts, hashOf(own)]
  return new PageAnswer(status, document.text, { ...allowed, scripts }, retryAfterSeconds, browser)
}

/** Page for a key that is wrong, used up, revoked or too old; it doesn't reveal which. */
export function deadLinkPage(realm: PageOwner, advice: string): PageAnswer {
  return pageOf(realm, {
    status: 404,
    title: 'This link doesn’t work any more',
    body: html`<p>It may be too old, it may have been used already or taken back, or a part of it got lost on the way.</p><p>${advice}</p>`,
  })
}
