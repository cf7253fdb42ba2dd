import { canSeeDeliveryEmail } from '@tms/contracts'
import { alertOf, type Html, html, type PageAnswer, type PageOwner, pageOf } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { FormProtection } from '../sessions/own-forms.ts'
import { tokenField } from './log-in-views.ts'
import { type Proof, proofFields, signInAgainFor } from './proof-fields.ts'
import { timeOf } from './time-views.ts'
import { type ShownToken, tokenList } from './token-views.ts'
import { ROLE_NAMES, roleNameOf } from './users-views.ts'

/** What was wrong with the form. */
export interface UserForm {
  readonly wrong?: string
  readonly wrongPassword?: string | undefined
  readonly username?: string | undefined
  readonly retryAfterSeconds?: number | null
}

interface UserView {
  readonly user: Account
  readonly viewer: Account
  readonly protection: FormProtection
  readonly timeZone: string
  readonly proof: Proof
  readonly sessionCount: number
  readonly tokens: readonly ShownToken[]
  /** Null if the user wasn't seen recently. */
  readonly seenAt: Date | null
  readonly form: UserForm
}

export function userView(realm: PageOwner, view: UserView): PageAnswer {
  const { user, viewer, seenAt, timeZone, form } = view
  const isShown = canSeeDeliveryEmail({ userId: viewer.id, role: viewer.role }, user)
  return pageOf(realm, {
    retryAfterSeconds: form.retryAfterSeconds ?? null,
    browser: { hasOwnForms: true },
    title: user.fullName,
    body: html`<p><a href="/account/users/">All users</a></p>
${alertOf(form.wrong)}
<p>${isShown ? user.deliveryEmail : user.email}${user.id === viewer.id && ' · this is you'}<br>
${roleNameOf(user.role)}${!user.isActive && html` · <strong>deactivated</strong>`}<br>
<span class="hint">Joined ${timeOf(user.dateJoined, timeZone)}${seenAt && html` · last seen ${timeOf(seenAt, timeZone)}`}</span></p>
${changeSection(view)}
${user.isActive && sessionsSection(view)}
${tokensSection(view)}`,
  })
}

function changeSection({ user, proof, protection, viewer, form }: UserView): Html {
  const path = `/account/users/${user.id}/`
  const title = user.isActive ? 'Role and access' : 'Access'
  if (proof === 'new sign-in')
    return html`<h2>${title}</h2>
<p>To change them, log in once more.</p>
${signInAgainFor(path)}`
  return html`<h2>${title}</h2>
<form method="post" action="${path}" novalidate>
${tokenField(protection)}
${user.isActive && roleField(user)}
${proofFields({
  ...{ id: 'user', label: 'Your password, to change anything', proof, email: viewer.deliveryEmail },
  ...{ username: form.username, wrong: form.wrongPassword },
})}
<div class="row">
${
  user.isActive
    ? html`<button name="action" value="role" class="quiet">Save the role</button>
<button name="action" value="deactivate" class="quiet">Deactivate</button>`
    : html`<button name="action" value="reactivate" class="quiet">Reactivate</button>`
}
</div>
<p class="hint">${
    user.isActive
      ? 'A deactivated user is out at once, with all bots; messages stay.'
      : 'The account comes back with its role and its API key. Its bots stay deactivated.'
  }</p>
</form>`
}

function roleField(user: Account): Html {
  return html`<input type="hidden" name="shown_role" value="${user.role}">
<label for="role">Role</label>
<select id="role" name="role">
${ROLE_NAMES.map(([role, name]) => html`<option value="${role}"${role === user.role && html` selected`}>${name}</option>\n`)}</select>`
}

function sessionsSection({ user, sessionCount, protection }: UserView): Html {
  const count = sessionCount === 1 ? 'one browser' : `${sessionCount} browsers`
  return html`<h2 id="sessions">Sessions</h2>
<p>${sessionCount === 0 ? 'In no browser.' : `In ${count}.`}</p>
${
  sessionCount > 0 &&
  html`<form method="post" action="/account/users/${user.id}/">${tokenField(protection)}<button name="action" value="end-sessions" class="quiet">End all sessions</button></form>`
}
<p class="hint">Chat apps have the API key, and stay logged in.</p>`
}

function tokensSection({ user, tokens, protection, timeZone }: UserView): Html {
  return html`<h2 id="tokens">API tokens</h2>
${
  tokens.length === 0
    ? html`<p>There are none.</p>`
    : tokenList(tokens, { protection, timeZone, path: `/account/users/${user.id}/` })
}`
}

/** For an ID that no person of the organization has. */
export function noUserView(realm: PageOwner): PageAnswer {
  return pageOf(realm, {
    status: 404,
    title: 'There is no such user',
    body: html`<p><a class="button" href="/account/users/">All users</a></p>`,
  })
}
