import { type Html, html, type PageAnswer, type PageOwner, pageOf } from '@tms/service-kit'
import type { FormProtection } from '../sessions/own-forms.ts'
import { tokenField } from './log-in-views.ts'
import { type Proof, proofFields, signInAgain } from './proof-fields.ts'
import { timeOf } from './time-views.ts'

/** What a provisioning system of the organization needs, and whether it has it. */
export interface ShownProvisioning {
  readonly url: string
  /** Null if there is none. */
  readonly token: {
    readonly createdAt: Date
    /** Null if an operator made it, or the account is gone. */
    readonly creatorName: string | null
  } | null
}

export interface ProvisioningForm {
  readonly wrongPassword?: string | undefined
}

interface ProvisioningView {
  readonly protection: FormProtection
  readonly provisioning: ShownProvisioning
  readonly isOwner: boolean
  readonly timeZone: string
  readonly proof: Proof
  readonly email: string
  readonly username?: string
  readonly provisioningForm?: ProvisioningForm
}

export function provisioningSection(view: ProvisioningView): Html {
  const { provisioning, timeZone } = view
  const { url, token } = provisioning
  return html`<h2 id="provisioning">Provisioning (SCIM)</h2>
<p>A system that manages your people, such as Okta or Microsoft Entra, adds and deactivates accounts at <code>${url}</code>.</p>
<p>${
    token === null
      ? 'It has no token yet.'
      : html`Its token was made ${timeOf(token.createdAt, timeZone)}${token.creatorName !== null && ` by ${token.creatorName}`}.`
  }</p>
${view.isOwner ? provisioningForm(view) : html`<p class="hint">Owners make and revoke the token here.</p>`}`
}

/** A key that sends a form presses its first button: one that is disabled, if a token would end by that. */
function provisioningForm({
  protection,
  provisioning,
  proof,
  email,
  username,
  provisioningForm: form = {},
}: ProvisioningView): Html {
  if (proof === 'new sign-in') return signInAgain
  return html`<form method="post" action="/account/provisioning/" novalidate>
${tokenField(protection)}
${proofFields({ id: 'provisioning', label: 'Your password, to change the token', proof, email, username, wrong: form.wrongPassword })}
<div class="row">
${provisioning.token !== null && html`<button disabled hidden></button>`}
<button name="action" value="make" class="quiet">${provisioning.token === null ? 'Make its token' : 'Replace its token'}</button>
${provisioning.token !== null && html`<button name="action" value="revoke" class="quiet">Revoke its token</button>`}
</div>
</form>`
}

/** Shows a new token, this once. */
export function provisioningTokenView(
  realm: PageOwner,
  { token, url }: { readonly token: string; readonly url: string },
): PageAnswer {
  return pageOf(realm, {
    browser: { hasOwnForms: true },
    title: 'The provisioning token',
    body: html`<p class="done" role="status">Copy it now: it is shown this once. The one before works no more.</p>
<label for="url">Address of the organization for the system</label>
<input id="url" value="${url}" readonly>
<label for="token">Token</label>
<input id="token" value="${token}" readonly autocomplete="off" spellcheck="false" data-first>
<p><a class="button" href="/account/">Back to your account</a></p>`,
  })
}
