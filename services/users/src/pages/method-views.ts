import { alertOf, type Html, html } from '@tms/service-kit'
import type { FormProtection } from '../sessions/own-forms.ts'
import { tokenField } from './log-in-views.ts'
import { type Proof, proofFields, signInAgain } from './proof-fields.ts'

/** A way to log in that the installation offers to the organization. */
export interface ShownMethod {
  readonly name: string
  readonly isOn: boolean
}

export interface MethodsForm {
  readonly wrong?: string | undefined
  readonly wrongPassword?: string | undefined
}

interface MethodsView {
  readonly protection: FormProtection
  readonly methods: readonly ShownMethod[]
  readonly isOwner: boolean
  readonly proof: Proof
  readonly email: string
  readonly username?: string
  readonly methodsForm?: MethodsForm
}

/** The fields of methods, which may be named like anything. */
export const METHOD_FIELD = 'method_'
/** The field with the methods that were on when the form was shown. */
export const SHOWN_FIELD = 'shown'

/** The methods that are on, as the form carries them. */
export const shownMethods = (methods: readonly ShownMethod[]): string =>
  JSON.stringify(
    methods
      .filter(({ isOn }) => isOn)
      .map(({ name }) => name)
      .sort(),
  )

export function methodsSection(view: MethodsView): Html {
  return html`<h2 id="methods">Ways to log in to the organization</h2>
${view.isOwner ? switches(view) : list(view)}`
}

const list = ({ methods }: MethodsView): Html => html`<ul class="list">
${methods.map(({ name, isOn }) => html`<li><span>${name}</span><span>${isOn ? 'on' : 'off'}</span></li>\n`)}</ul>
<p class="hint">You see this as an administrator. Owners switch them on and off here.</p>`

function switches({ protection, methods, proof, email, username, methodsForm = {} }: MethodsView): Html {
  if (proof === 'new sign-in')
    return html`<p>To switch them on or off, log in once more.</p>
${signInAgain}`
  const { wrong, wrongPassword } = methodsForm
  return html`<form method="post" action="/account/methods/" novalidate>
${tokenField(protection)}
<input type="hidden" name="${SHOWN_FIELD}" value="${shownMethods(methods)}">
${alertOf(wrong)}
<fieldset><legend class="hint">At least one stays on. Nobody logs in by a way that is off; sessions and keys stay.</legend>
${methods.map(
  ({ name, isOn }) =>
    html`<label class="choice"><input type="checkbox" name="${METHOD_FIELD}${name}" value="true"${isOn && html` checked`}>${name}</label>\n`,
)}</fieldset>
${proofFields({ id: 'methods', label: 'Your password, to change them', proof, email, username, wrong: wrongPassword })}
<button class="quiet">Save the ways to log in</button>
</form>`
}
