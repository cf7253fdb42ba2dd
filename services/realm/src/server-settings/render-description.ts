import { escapeHtml } from '@tms/service-kit'

/** An organization's description as HTML, a paragraph per block of text; a stock sentence when it is empty. */
export function renderDescription(description: string): string {
  const text = description.trim() || 'This organization has not described itself yet.'
  return text
    .split(/\n\s*\n/)
    .map((block) => `<p>${escapeHtml(block.trim()).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n')
}
