import { alertOf, html, inputOf, type PageAnswer, type PageOwner, pageOf, type Wait } from '@tms/service-kit'

const ACTION = '/accounts/password/reset/'

/** Asks for the address of the account. */
export function passwordResetView(
  realm: PageOwner,
  { email = '', wrong, wait }: { email?: string; wrong?: string; wait?: Wait } = {},
): PageAnswer {
  return pageOf(realm, {
    status: wait ? 429 : wrong !== undefined ? 400 : 200,
    retryAfterSeconds: wait?.retryAfterSeconds ?? null,
    title: 'Forgotten password',
    body: html`${alertOf(wait?.alert)}<p>We will send a link to the address of your account, by which you can choose a new password.</p>
<form method="post" action="${ACTION}" novalidate>
${inputOf({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', wrong, isFirst: true })}
<button>Send the link</button>
</form>`,
  })
}

/** The same whether or not the account exists. */
export function resetSentView(realm: PageOwner, email: string): PageAnswer {
  return pageOf(realm, {
    title: 'Check your inbox',
    body: html`<p role="status">If <strong>${email}</strong> has an account here, a mail with a link is on its way. It works for a day.</p>
<p class="hint">Nothing there after some minutes? Look among unwanted mail, or try the address that you signed up with.</p>`,
  })
}

export function newPasswordView(realm: PageOwner, key: string, email: string, wrong?: string): PageAnswer {
  return pageOf(realm, {
    status: wrong === undefined ? 200 : 400,
    title: 'New password',
    body: html`<form method="post" action="${ACTION}${encodeURIComponent(key)}/" novalidate>
${inputOf({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', isReadOnly: true })}
${inputOf({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: 'Hard to guess: several words, or a password manager’s.', wrong, isFirst: true })}
<button>Set the password</button>
</form>`,
  })
}

export function passwordSetView(realm: PageOwner): PageAnswer {
  return pageOf(realm, {
    title: 'Your password is set',
    body: html`<p class="done" role="status">Log in with it in your chat app, at <code>${realm.url}</code>.</p>`,
  })
}

/** In an organization whose users sign in by another method. */
export function noPasswordsView(realm: PageOwner): PageAnswer {
  return pageOf(realm, {
    status: 403,
    title: 'No password to forget',
    body: html`<p role="status">${realm.name} stores no passwords. Log in in your chat app, at <code>${realm.url}</code>, as your organization does elsewhere, and change your password where you usually do.</p>`,
  })
}
