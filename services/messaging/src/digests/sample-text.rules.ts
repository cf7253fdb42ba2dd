import { escapeHtml } from '@tms/service-kit'

/** Characters of a sample: a digest shows what it is about, and links to the rest. */
const MAX_CHARACTERS = 600
/** Bytes of a sample as HTML, with its formatting. */
const MAX_HTML_BYTES = 4_000

interface Sample {
  readonly text: string
  readonly html: string
}

/** A sample of a message: as it is if it is short, else the beginning of its text, without formatting. */
export function shortened({ text, html }: Sample): Sample {
  const characters = [...text]
  if (characters.length <= MAX_CHARACTERS && Buffer.byteLength(html) <= MAX_HTML_BYTES) return { text, html }
  const beginning = `${characters.slice(0, MAX_CHARACTERS).join('').trimEnd()}…`
  return { text: beginning, html: `<p>${escapeHtml(beginning).replaceAll('\n', '<br>\n')}</p>` }
}
