import { Html, html } from '@tms/service-kit'
import type { Mail, MailedMessage, MailSection } from '../kernel/mails/mail.ts'

/** A mail as text and as HTML. */
export interface MailBody {
  readonly text: string
  readonly html: string
}

/**
 * How typed text looks, and colours for readers who prefer dark ones, by class: mail programs that know no styles of a whole mail
 * show the light ones, which are written at each element.
 */
const STYLES = new Html(`
.quote a,.letter a{color:#1f5fd0}
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media(prefers-color-scheme:dark){
.page{background:#11151d!important;color:#edf0f6!important}
.card{background:#1a202c!important}
.soft{color:#a9b3c6!important}
.soft a,.quote a,.letter a{color:#8fb4ff!important}
.quote{border-color:#46506a!important}
h2 a{color:#8fb4ff!important}
.button{background:#8fb4ff!important;color:#0c1a38!important}
}
.quote p{margin:0 0 8px}
.quote pre,.letter pre{overflow-x:auto;white-space:pre-wrap}
.quote blockquote{margin:0 0 8px;padding:0 0 0 12px;border-left:3px solid #c3cad8}
.letter>:first-child{margin-top:0}
.quote img,.letter img{max-width:100%}
.quote table,.letter table{display:block;max-width:100%;overflow-x:auto}
th,td{padding:2px 6px;overflow-wrap:normal;text-align:left}
`)

/** The layout of every mail. Typed text is escaped, never markup. */
export function layOutMail({
  subject,
  language = 'en',
  realm,
  paragraphs,
  letter,
  messages = [],
  sections = [],
  action,
  remarks = [],
  links = [],
}: Mail): MailBody {
  const signature = `${realm.name} · ${realm.url}`
  const text = [
    ...paragraphs,
    ...(letter ? [letter.text] : []),
    ...messages.map(quoteAsText),
    ...sections.flatMap(sectionAsText),
    ...(action ? [`${action.label}: ${action.url}`] : []),
    ...remarks,
    ...(links.length > 0 ? [links.map(({ label, url }) => `${label}: ${url}`).join('\n')] : []),
    `-- \n${signature}`,
  ]
  const inner = [
    ...paragraphs.map((one) => html`<p style="margin:0 0 16px">${one}</p>`),
    ...(letter
      ? [
          html`<div class="letter" style="margin:0 0 24px;overflow-wrap:anywhere">${new Html(letter.html)}</div>`,
        ]
      : []),
    ...messages.map(quoteAsHtml),
    ...sections.flatMap(sectionAsHtml),
    ...(action ? buttonOf(action, messages.length + sections.length > 0) : []),
    ...remarks.map(
      (one) => html`<p class="soft" style="margin:0 0 16px;color:#5b6472;font-size:14px">${one}</p>`,
    ),
    ...(links.length > 0
      ? [
          html`<p class="soft" style="margin:0;color:#5b6472;font-size:14px">${links.map(({ label, url }, index) => html`${index > 0 && ' · '}<a href="${url}" style="color:#1f5fd0">${label}</a>`)}</p>`,
        ]
      : []),
  ]
  const document = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${subject}</title><style>${STYLES}</style></head>
<body class="page" style="margin:0;padding:24px;background:#f4f5f7;font:16px/1.5 system-ui,sans-serif;color:#1c2330">
<div class="card" style="max-width:560px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">
${inner.map(
  (one) => html`${one}
`,
)}</div>
<p class="soft" style="max-width:560px;margin:16px auto 0;color:#5b6472;font-size:13px">${signature}</p>
</body></html>
`
  return { text: `${text.join('\n\n')}\n`, html: document.text }
}

function sectionAsText({ title, url, messages = [], links = [], remark }: MailSection): string[] {
  return [
    `== ${title} ==${url === undefined ? '' : `\n${url}`}`,
    ...messages.map(quoteAsText),
    ...(links.length > 0 ? [links.map(({ label, url: to }) => `${label}: ${to}`).join('\n')] : []),
    ...(remark === undefined ? [] : [remark]),
  ]
}

const LINK_STYLE = 'color:#1f5fd0;text-decoration:none'

function sectionAsHtml({ title, url, messages = [], links = [], remark }: MailSection): Html[] {
  const heading = url === undefined ? title : html`<a href="${url}" style="${LINK_STYLE}">${title}</a>`
  return [
    html`<h2 style="margin:24px 0 8px;font-size:18px;line-height:1.3;overflow-wrap:anywhere">${heading}</h2>`,
    ...messages.map(quoteAsHtml),
    ...(links.length > 0
      ? [
          html`<ul class="quote" style="margin:0 0 16px;padding:0 0 0 20px;border:0">${links.map(({ label, url: to }) => html`<li style="overflow-wrap:anywhere"><a href="${to}" style="${LINK_STYLE}">${label}</a></li>`)}</ul>`,
        ]
      : []),
    ...(remark === undefined
      ? []
      : [html`<p class="soft" style="margin:0 0 16px;color:#5b6472;font-size:14px">${remark}</p>`]),
  ]
}

function quoteAsText({ senderName, text }: MailedMessage): string {
  const quoted = text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  return senderName === null ? quoted : `${senderName}:\n${quoted}`
}

function quoteAsHtml({ senderName, html: markup, isContext = false }: MailedMessage): Html {
  const look = isContext ? 'color:#5b6472;font-size:14px;' : ''
  const classes = isContext ? 'quote soft' : 'quote'
  const name =
    senderName !== null &&
    html`<p style="margin:0 0 4px;font-weight:600;overflow-wrap:anywhere">${senderName}</p>
`
  return html`${name}<div class="${classes}" style="${look}margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid #c3cad8;overflow-wrap:anywhere">${new Html(markup)}</div>`
}

/** The address is written below the button, for programs that show no buttons; not below messages, which have many. */
function buttonOf({ label, url }: NonNullable<Mail['action']>, isShort: boolean): Html[] {
  const button = html`<p style="margin:0 0 16px"><a class="button" href="${url}" style="display:inline-block;padding:12px 20px;background:#1f5fd0;color:#fff;border-radius:8px;text-decoration:none">${label}</a></p>`
  const address = html`<p class="soft" style="margin:0 0 16px;color:#5b6472;font-size:14px;word-break:break-all">${url}</p>`
  return isShort ? [button] : [button, address]
}
