import { type Html, html } from '@tms/service-kit'

/** A page may load only what this gateway serves. The reference's own styles are set by its script. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A page for developers of clients. */
export function referencePage(page: { title: string; head: Html; body: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${page.title} – Team Messaging Service</title>
${page.head}
</head>
<body>
${page.body}
</body>
</html>
`.text
}
