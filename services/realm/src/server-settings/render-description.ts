import { renderShortText } from '@tms/short-texts'

/** An organization's description as HTML; a default sentence if it is empty. */
export function renderDescription(description: string): string {
  return renderShortText(description.trim() || 'This organization has not described itself yet.')
}
