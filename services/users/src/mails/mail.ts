/** One e-mail to one person, as whoever wants it sent composes it; how it looks is settled in one place. */
export interface Mail {
  /** Delivery e-mail. */
  readonly to: string
  readonly subject: string
  /** Name and URL of the organization in whose name it is sent. */
  readonly realm: { readonly name: string; readonly url: string }
  /** Plain text; nothing in it is markup. */
  readonly paragraphs: readonly string[]
  /** What the mail is about, as a button, and as a plain link for those who can't see it. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Said below the button: until when it works, what to do if one didn't ask for it. */
  readonly remarks?: readonly string[]
}
