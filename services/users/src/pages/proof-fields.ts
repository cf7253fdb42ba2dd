import { type Html, html } from '@tms/service-kit'

/** What has to be entered before something happens that an open browser must not do for somebody else. */
export type Proof = 'password' | 'user name and password' | 'new sign-in' | 'nothing'

interface ProofFields {
  /** Of the form: its fields begin with it. */
  readonly id: string
  readonly label: string
  readonly proof: Proof
  readonly email: string
  readonly username: string | undefined
  readonly wrong: string | undefined
}

/** The fields of a form beside others on its page. */
export function proofFields({ id, label, proof, email, username = '', wrong }: ProofFields): Html | null {
  if (proof === 'nothing') return null
  return html`${
    proof === 'user name and password'
      ? html`<label for="${id}-username">User name</label>
<input id="${id}-username" name="username" value="${username}" autocomplete="username" required>`
      : html`<input type="hidden" name="username" value="${email}" autocomplete="username">`
  }
<label for="${id}-password">${label}</label>
<input id="${id}-password" name="password" type="password" autocomplete="current-password" required${wrong !== undefined && html` aria-invalid="true" aria-describedby="${id}-wrong"`}>
${wrong !== undefined && html`<p class="wrong" id="${id}-wrong">${wrong}</p>`}`
}

/** In place of a form, for people whose sign-in at another site is too old to prove anything. */
export const signInAgainFor = (path: string): Html =>
  html`<p><a class="button" href="/login/?preview=true&amp;next=${encodeURIComponent(path)}">Log in again</a></p>`

export const signInAgain: Html = signInAgainFor('/account/')
