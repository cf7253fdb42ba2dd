import type { TokenScope } from '@tms/contracts'
import { alertOf, type Html, html, inputOf, type PageAnswer, type PageOwner, pageOf } from '@tms/service-kit'
import type { FormProtection } from '../sessions/own-forms.ts'
import { tokenField } from './log-in-views.ts'
import { type Proof, proofFields, signInAgain } from './proof-fields.ts'
import { timeOf } from './time-views.ts'

/** An API token, as its owner sees it. */
export interface ShownToken {
  readonly id: number
  readonly name: string
  readonly scopes: readonly TokenScope[]
  /** The bot that it acts as; null for the user. */
  readonly botName: string | null
  /** Null if it isn't limited to channels. */
  readonly channels: readonly string[] | null
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

/** What was entered to make a token. */
export interface TokenForm {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly channels: string
  readonly days: string
  readonly wrong?: string
  readonly wrongPassword?: string | undefined
}

const EMPTY: TokenForm = { name: '', scopes: ['read'], channels: '', days: '90' }

const SCOPES: readonly (readonly [TokenScope, string])[] = [
  ['read', 'Read what you can read'],
  ['send', 'Send messages, react, upload files'],
  ['administer', 'Change settings, channels, users, as you may'],
]
const LIVES = [
  ['7', 'A week'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
  ['', 'Until it is revoked'],
] as const

interface TokensView {
  readonly protection: FormProtection
  readonly tokens: readonly ShownToken[]
  readonly email: string
  readonly timeZone: string
  readonly proof: Proof
  readonly username?: string
  readonly tokenForm?: TokenForm
}

export function tokensSection(view: TokensView): Html {
  const { tokens, protection, timeZone } = view
  return html`<h2 id="tokens">API tokens</h2>
<p>For programs: a token can do a part of what your key can, for a while, and is revoked alone.</p>
${tokens.length > 0 && tokenList(tokens, { protection, timeZone, path: '/account/tokens/' })}
<details${view.tokenForm !== undefined && html` open`}><summary>Make a token</summary>
${view.proof === 'new sign-in' ? signInAgain : newTokenForm(view)}
</details>`
}

interface TokenList {
  readonly protection: FormProtection
  readonly timeZone: string
  /** Where the forms that revoke them are sent. */
  readonly path: string
}

export function tokenList(tokens: readonly ShownToken[], list: TokenList): Html {
  return html`<ul class="list">
${tokens.map((token) => tokenItem(token, list))}</ul>`
}

function tokenItem(
  { id, name, scopes, botName, channels, expiresAt, lastUsedAt }: ShownToken,
  { protection, timeZone, path }: TokenList,
): Html {
  const reach = channels === null ? '' : ` in ${channels.join(', ')}`
  return html`<li><span><strong>${name}</strong>${botName !== null && ` · ${botName}`}<br>
<span class="hint">${scopes.join(', ')}${reach} · ${
    expiresAt === null ? 'never expires' : html`expires ${timeOf(expiresAt, timeZone)}`
  } · ${lastUsedAt === null ? 'not used yet' : html`last used ${timeOf(lastUsedAt, timeZone)}`}</span></span>
<form method="post" action="${path}">${tokenField(protection)}<button class="plain" name="revoke" value="${id}" aria-label="Revoke the token ${name}">Revoke</button></form></li>
`
}

function newTokenForm({ protection, proof, email, username, tokenForm = EMPTY }: TokensView): Html {
  const { name, scopes, channels, days, wrong, wrongPassword } = tokenForm
  return html`<form method="post" action="/account/tokens/" novalidate>
${tokenField(protection)}
${alertOf(wrong)}
${inputOf({ name: 'name', label: 'Name of the token', value: name, autocomplete: 'off', hint: 'What it is for.' })}
<fieldset><legend class="label">It may</legend>
${SCOPES.map(
  ([scope, label]) =>
    html`<label class="choice"><input type="checkbox" name="${scope}" value="true"${scopes.includes(scope) && html` checked`}>${label}</label>\n`,
)}</fieldset>
<label for="channels">Only in these channels</label>
<textarea id="channels" name="channels" rows="3" aria-describedby="channels-hint">${channels}</textarea>
<p class="hint" id="channels-hint">One name a line. Without any it reaches all that you can.</p>
<label for="days">It is valid for</label>
<select id="days" name="days">
${LIVES.map(([value, label]) => html`<option value="${value}"${value === days && html` selected`}>${label}</option>\n`)}</select>
${proofFields({ id: 'token', label: 'Your password, to make a token', proof, email, username, wrong: wrongPassword })}
<button>Make the token</button>
</form>`
}

/** Shows a new token, this once. */
export function apiTokenView(
  realm: PageOwner,
  { token, name, email }: { readonly token: string; readonly name: string; readonly email: string },
): PageAnswer {
  return pageOf(realm, {
    browser: { hasOwnForms: true },
    title: 'Your new token',
    body: html`<p class="done" role="status">Copy it now: it is shown this once.</p>
<label for="token">${name}</label>
<input id="token" value="${token}" readonly autocomplete="off" spellcheck="false" data-first>
<p class="hint">Programs use it in place of the API key, with the address ${email}, or alone as a bearer.</p>
<p><a class="button" href="/account/">Back to your account</a></p>`,
  })
}
