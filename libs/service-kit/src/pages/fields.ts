import { type Html, html } from '../html.ts'

/** One input of a form, with its label and what was wrong with what was typed before. */
interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly value?: string
  readonly autocomplete: string
  readonly hint?: string
  readonly wrong?: string | undefined
  readonly isReadOnly?: boolean
  /** Where the cursor is when the page opens. */
  readonly isFirst?: boolean
}

/** An input that says by itself what it is for and what is wrong with it, to screen readers too. */
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

/** Says at the top that something is wrong; it is read out when the page opens. */
export function alertOf(message: string | undefined): Html | null {
  return message === undefined ? null : html`<p class="alert" role="alert">${message}</p>`
}
