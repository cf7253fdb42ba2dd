import type { ExternalMethod } from '@tms/contracts'
import { alertOf, type Html, html, inputOf, type PageAnswer, type PageOwner, pageOf } from '@tms/service-kit'
import type { FormProtection } from '../sessions/own-forms.ts'

export interface LogInForm {
  readonly protection: FormProtection
  /** What the form asks for; null if the organization takes no passwords. */
  readonly asksFor: 'e-mail address' | 'user name' | null
  readonly hasPasswordReset: boolean
  readonly external: readonly Pick<ExternalMethod, 'display_name' | 'login_url'>[]
  readonly next: string | null
  readonly username?: string
  /** Why the browser is here, or what was wrong. */
  readonly note?: string
  readonly alert?: string
  readonly wrong?: { readonly username?: string; readonly password?: string }
  readonly status?: number
  readonly retryAfterSeconds?: number
}

/** The hidden field that shows that a form is a page's own. */
export const tokenField = ({ token }: FormProtection): Html =>
  html`<input type="hidden" name="csrfmiddlewaretoken" value="${token}">`

/** Where a sign-in begins that leads to `next` in the end. */
export const withNext = (url: string, next: string | null): string =>
  next === null ? url : `${url}?next=${encodeURIComponent(next)}`

export function logInView(realm: PageOwner, form: LogInForm): PageAnswer {
  const { protection, asksFor, external, next, note, alert } = form
  return pageOf(realm, {
    status: form.status ?? 200,
    retryAfterSeconds: form.retryAfterSeconds ?? null,
    browser: { cookies: protection.cookies, hasOwnForms: true },
    title: 'Log in',
    body: html`${alertOf(alert)}${note !== undefined && html`<p class="note" role="status">${note}</p>`}${asksFor !== null && passwordForm(form, asksFor)}
${asksFor !== null && external.length > 0 && html`<p class="or">or</p>`}
${external.map(
  ({ display_name, login_url }) =>
    html`<a class="button quiet" href="${withNext(login_url, next)}">Log in with ${display_name}</a>
`,
)}${
  asksFor === null &&
  external.length === 0 &&
  html`<p role="status">${realm.name} has no way to log in with a browser.</p>`
}`,
  })
}

function passwordForm(
  { protection, next, username = '', wrong = {}, hasPasswordReset }: LogInForm,
  asksFor: 'e-mail address' | 'user name',
): Html {
  const isEmail = asksFor === 'e-mail address'
  return html`<form method="post" action="/accounts/login/" novalidate>
${tokenField(protection)}
${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${inputOf({
  ...{ name: 'username', label: isEmail ? 'E-mail address' : 'User name', type: isEmail ? 'email' : 'text' },
  ...{ value: username, autocomplete: 'username', wrong: wrong.username, isFirst: username === '' },
})}
${inputOf({
  ...{ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
  ...{ wrong: wrong.password, isFirst: username !== '' },
})}
<button>Log in</button>
</form>${hasPasswordReset && html`<footer><a href="/accounts/password/reset/">Forgotten password?</a></footer>`}`
}

/** For a form that isn't of this host, this browser or this session. */
export function foreignFormView(realm: PageOwner, page: { readonly href: string }): PageAnswer {
  return pageOf(realm, {
    status: 403,
    title: 'Please try that again',
    body: html`<p role="status">The form that was sent is out of date, or it is not one of ours, so nothing was changed. Your browser must take the cookies of this site.</p>
<p><a class="button" href="${page.href}">Open the page again</a></p>`,
  })
}

export function deactivatedRealmView(realm: PageOwner): PageAnswer {
  return pageOf(realm, {
    title: 'This organization is deactivated',
    body: html`<p role="status">Nobody can log in to ${realm.name} at the moment. Ask those who administer it.</p>`,
  })
}
