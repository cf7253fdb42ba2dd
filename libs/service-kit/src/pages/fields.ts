import { type Html, html } from '../html/html.ts'

/** An input of a form, with its label and the error of the previous value. */
interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly value?: string
  readonly autocomplete: string
  readonly hint?: string
  readonly wrong?: string | undefined
  readonly isReadOnly?: boolean
  /** Whether the cursor is here when the page opens. */
  readonly isFirst?: boolean
}

/** An input with its label, hint and error, also for screen readers. */
export function inputOf({
  name,
  label,
  type = 'text',
  value = '',
  autocomplete,
  hint,
  wrong,
  isReadOnly,
  isFirst,
}: Field): Html {
  const notes = [
    hint === undefined ? [] : [`${name}-hint`],
    wrong === undefined ? [] : [`${name}-wrong`],
  ].flat()
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}" autocomplete="${autocomplete}"${isReadOnly ? html` readonly` : html` required`}${isFirst ? html` data-first` : null}${wrong === undefined ? null : html` aria-invalid="true"`}${notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}${wrong !== undefined && html`<p class="wrong" id="${name}-wrong">${wrong}</p>`}`
}

/** An error message at the top, which screen readers read out when the page opens. */
export function alertOf(message: string | undefined): Html | null {
  return message === undefined ? null : html`<p class="alert" role="alert">${message}</p>`
}
