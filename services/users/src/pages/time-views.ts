import { type Html, html } from '@tms/service-kit'

export function timeOf(at: Date, timeZone: string): Html {
  return html`<time datetime="${at.toISOString()}">${formatTime(at, timeZone)}</time>`
}

export const formatTime = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)
