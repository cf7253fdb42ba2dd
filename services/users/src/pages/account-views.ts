import {
  type BrowserState,
  type Html,
  html,
  inputOf,
  type PageAnswer,
  type PageOwner,
  pageOf,
} from '@tms/service-kit'
import type { FormProtection } from '../sessions/own-forms.ts'
import { tokenField } from './log-in-views.ts'
import { type MethodsForm, methodsSection, type ShownMethod } from './method-views.ts'
import { type Proof, signInAgain } from './proof-fields.ts'
import { type ProvisioningForm, provisioningSection, type ShownProvisioning } from './provisioning-views.ts'
import { formatTime, timeOf } from './time-views.ts'
import { type ShownToken, type TokenForm, tokensSection } from './token-views.ts'
import { usersSection } from './users-views.ts'

/** A session, as its user sees it. */
export interface ShownSession {
  /** Names it in the form that ends it. */
  readonly idHash: string
  readonly browser: string
  readonly address: string
  readonly beganAt: Date
  readonly usedAt: Date
  readonly isThis: boolean
}

export interface AccountView {
  readonly protection: FormProtection
  readonly fullName: string
  readonly email: string
  readonly timeZone: string
  readonly proof: Proof
  readonly sessions: readonly ShownSession[]
  readonly tokens: readonly ShownToken[]
  /** What was entered to make a token. */
  readonly tokenForm?: TokenForm
  /** The organization's ways to log in, for administrators; null for others. */
  readonly methods: readonly ShownMethod[] | null
  readonly isOwner: boolean
  readonly isAdministrator: boolean
  /** What provisions the organization's accounts, for administrators; null for others. */
  readonly provisioning: ShownProvisioning | null
  readonly provisioningForm?: ProvisioningForm
  /** What was wrong with the form that switches them. */
  readonly methodsForm?: MethodsForm
  /** What was just done. */
  readonly done?: string
  /** What was wrong with the form of the API key. */
  readonly wrong?: string
  readonly username?: string
  readonly retryAfterSeconds?: number
}

const WITH_FORMS: BrowserState = { hasOwnForms: true }

export function accountView(realm: PageOwner, view: AccountView): PageAnswer {
  const { protection, fullName, email, done } = view
  return pageOf(realm, {
    retryAfterSeconds: view.retryAfterSeconds ?? null,
    browser: WITH_FORMS,
    title: 'Your account',
    body: html`${done !== undefined && html`<p class="done" role="status">${done}</p>`}<p><strong>${fullName}</strong><br>${email}</p>
<p><a href="/account/notifications/">Notifications: devices and quiet hours</a></p>
${keySection(view)}
${tokensSection(view)}
${sessionsSection(view)}
${view.isAdministrator && usersSection}
${view.methods && methodsSection({ ...view, methods: view.methods })}
${view.provisioning && provisioningSection({ ...view, provisioning: view.provisioning })}
<h2>Log out</h2>
<div class="row">
<form method="post" action="/accounts/logout/">${tokenField(protection)}<button>Log out</button></form>
<form method="post" action="/accounts/logout/">${tokenField(protection)}<input type="hidden" name="everywhere" value="true"><button class="quiet">Log out everywhere</button></form>
</div>`,
  })
}

function keySection({ protection, proof, wrong, username, email }: AccountView): Html {
  const explanation = html`<p>Programs and chat apps use it in place of your password. Who has it can do all that you can, so keep it to yourself.</p>`
  if (proof === 'new sign-in')
    return html`<h2>API key</h2>
${explanation}
<p>To see it, log in once more.</p>
${signInAgain}`
  const asksName = proof === 'user name and password'
  return html`<h2>API key</h2>
${explanation}
<form method="post" action="/account/key/" novalidate>
${tokenField(protection)}
${
  asksName
    ? inputOf({ name: 'username', label: 'User name', value: username ?? '', autocomplete: 'username' })
    : html`<input type="hidden" name="username" value="${email}" autocomplete="username">`
}
${
  proof !== 'nothing' &&
  inputOf({
    name: 'password',
    label: 'Your password',
    type: 'password',
    autocomplete: 'current-password',
    wrong,
  })
}
<div class="row">
<button name="action" value="show">Show the key</button>
<button name="action" value="download" class="quiet">Download zuliprc</button>
</div>
<button name="action" value="replace" class="quiet">Replace the key</button>
<p class="hint">Replacing it ends the access of every program and app that has it.</p>
</form>`
}

function sessionsSection({ protection, sessions, timeZone }: AccountView): Html {
  return html`<h2>Where you are logged in</h2>
<ul class="list">
${sessions.map((session) => sessionItem(session, protection, timeZone))}</ul>
${
  sessions.length > 1 &&
  html`<form method="post" action="/account/sessions/">${tokenField(protection)}<button name="session" value="others" class="quiet">End all others</button></form>`
}
<p class="hint">Browsers only: chat apps have the API key. A session ends two weeks after its sign-in.</p>`
}

function sessionItem(
  { idHash, browser, address, beganAt, usedAt, isThis }: ShownSession,
  protection: FormProtection,
  timeZone: string,
): Html {
  return html`<li><span><strong>${browser}</strong>${isThis && ' · this browser'}<br>
<span class="hint">${address !== '' && `${address} · `}since ${timeOf(beganAt, timeZone)}${
    usedAt.getTime() !== beganAt.getTime() && html`, last used ${timeOf(usedAt, timeZone)}`
  }</span></span>${
    !isThis &&
    html`<form method="post" action="/account/sessions/">${tokenField(protection)}<button class="plain" name="session" value="${idHash}" aria-label="End the session of ${browser}, since ${formatTime(beganAt, timeZone)}">End</button></form>`
  }</li>
`
}

/** After the password was entered again. */
export function apiKeyView(
  realm: PageOwner,
  { email, apiKey, isNew }: { readonly email: string; readonly apiKey: string; readonly isNew: boolean },
): PageAnswer {
  return pageOf(realm, {
    browser: WITH_FORMS,
    title: isNew ? 'Your new API key' : 'Your API key',
    body: html`${isNew && html`<p class="done" role="status">The old key works no more.</p>`}<label for="email">E-mail address</label>
<input id="email" value="${email}" readonly>
<label for="key">API key</label>
<input id="key" value="${apiKey}" readonly autocomplete="off" spellcheck="false" data-first>
<p><a class="button" href="/account/">Back to your account</a></p>`,
  })
}
