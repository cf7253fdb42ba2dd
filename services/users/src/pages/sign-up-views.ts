import type { ExternalMethod } from '@tms/contracts'
import { alertOf, html, inputOf, type PageAnswer, type PageOwner, pageOf, type Wait } from '@tms/service-kit'

/** Error messages by field; `form` is for errors without a field. */
export type FieldErrors = Readonly<Record<string, string | undefined>>

/** The page of a reusable link, or of an open organization if `key` is null: asks for an address. */
export function joinView(
  realm: PageOwner,
  {
    key,
    email = '',
    wrong = {},
    wait,
  }: { key: string | null; email?: string; wrong?: FieldErrors; wait?: Wait },
): PageAnswer {
  const action = key === null ? '/join/' : `/join/${encodeURIComponent(key)}/`
  return pageOf(realm, {
    status: wait ? 429 : hasAny(wrong) ? 400 : 200,
    retryAfterSeconds: wait?.retryAfterSeconds ?? null,
    title: `Join ${realm.name}`,
    body: html`${alertOf(wait?.alert)}<p>${key === null ? 'Everyone is welcome.' : 'You are invited.'} We will send a link to your e-mail address, to make sure that it is yours.</p>
<form method="post" action="${action}" novalidate>
${inputOf({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'email', wrong: wrong['email'], isFirst: true })}
<button>Send the link</button>
</form>`,
  })
}

/** The same for every address, so that it doesn't reveal who has an account. */
export function checkInboxView(realm: PageOwner, email: string): PageAnswer {
  return pageOf(realm, {
    title: 'Check your inbox',
    body: html`<p role="status">We have sent a mail to <strong>${email}</strong>. Follow the link in it within a day.</p>
<p class="hint">Nothing there after some minutes? Look among unwanted mail, or try again.</p>`,
  })
}

/** The page of a mailed invitation: asks for name and password. */
export function signUpView(
  realm: PageOwner,
  form: { key: string; email: string; fullName?: string; wrong?: FieldErrors },
): PageAnswer {
  const { key, email, fullName = '', wrong = {} } = form
  return pageOf(realm, {
    status: hasAny(wrong) ? 400 : 200,
    title: `Join ${realm.name}`,
    body: html`${alertOf(wrong['form'])}
<form method="post" action="/accounts/register/" novalidate>
<input type="hidden" name="key" value="${key}">
<input type="hidden" name="timezone" data-time-zone>
${inputOf({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', isReadOnly: true })}
${inputOf({ name: 'full_name', label: 'Your name', value: fullName, autocomplete: 'name', hint: 'As others will see it.', wrong: wrong['full_name'], isFirst: true })}
${inputOf({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'Hard to guess: several words, or a password manager’s.', wrong: wrong['password'] })}
<button>Join</button>
</form>`,
  })
}

/**
 * In an organization whose users sign in by another method: that makes their account. `key` is that of a reusable link.
 */
export function joinBySigningInView(
  realm: PageOwner,
  { external, key }: { external: readonly ExternalMethod[]; key: string | null },
): PageAnswer {
  const query = key === null ? '' : `?multiuse_object_key=${encodeURIComponent(key)}`
  return pageOf(realm, {
    status: 403,
    title: `Join ${realm.name}`,
    body: html`${external.map(
      ({ display_name, signup_url }) =>
        html`<a class="button" href="${signup_url}${query}">Join with ${display_name}</a>
`,
    )}<p role="status">Open your chat app, add the organization <code>${realm.url}</code>, and log in as your organization does elsewhere. Your account is made then; an invitation counts until it expires.</p>`,
  })
}

export function joinedView(
  realm: PageOwner,
  { fullName, email }: { fullName: string; email: string },
): PageAnswer {
  return pageOf(realm, {
    title: `Welcome, ${fullName}!`,
    body: html`<p class="done" role="status">You are a member of ${realm.name} now.</p>
<p>Open your chat app, add the organization <code>${realm.url}</code>, and log in as <strong>${email}</strong> with the password that you have just chosen.</p>`,
  })
}

function hasAny(wrong: FieldErrors): boolean {
  return Object.values(wrong).some((message) => message !== undefined)
}
