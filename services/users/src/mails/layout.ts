import { type Html, html } from '@tms/service-kit'
import type { Mail } from '../kernel/mails/mail.ts'

/** A mail as text and as HTML. */
export interface MailBody {
  readonly text: string
  readonly html: string
}

/** The layout of every mail. Typed text is escaped, never markup. */
export function layOutMail({ subject, realm, paragraphs, action, remarks = [] }: Mail): MailBody {
  const signature = `${realm.name} · ${realm.url}`
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}: ${action.url}`] : []),
    ...remarks,
    `-- \n${signature}`,
  ]
  const inner = [
    ...paragraphs.map((one) => html`<p style="margin:0 0 16px">${one}</p>`),
    ...(action ? [buttonOf(action)] : []),
    ...remarks.map((one) => html`<p style="margin:0 0 16px;color:#5b6472;font-size:14px">${one}</p>`),
  ]
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;font:16px/1.5 system-ui,sans-serif;color:#1c2330">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">
${inner.map(
  (one) => html`${one}
`,
)}</div>
<p style="max-width:560px;margin:16px auto 0;color:#5b6472;font-size:13px">${signature}</p>
</body></html>
`
  return { text: `${text.join('\n\n')}\n`, html: document.text }
}

function buttonOf({ label, url }: NonNullable<Mail['action']>): Html {
  return html`<p style="margin:0 0 16px"><a href="${url}" style="display:inline-block;padding:12px 20px;background:#1f5fd0;color:#fff;border-radius:8px;text-decoration:none">${label}</a></p>
<p style="margin:0 0 16px;color:#5b6472;font-size:14px;word-break:break-all">${url}</p>`
}
