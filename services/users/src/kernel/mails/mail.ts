/** One e-mail to one recipient. Use cases compose the content; `layOutMail` decides how it looks. */
export interface Mail {
  readonly to: string
  readonly subject: string
  /** The organization that sends it. */
  readonly realm: { readonly name: string; readonly url: string }
  /** Plain text, never markup. */
  readonly paragraphs: readonly string[]
  /** The main action, as a button and as a plain link. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Shown below the button: validity, and what to do if the mail is unexpected. */
  readonly remarks?: readonly string[]
}
