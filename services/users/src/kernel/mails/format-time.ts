const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** For recipients whose time zone isn't known. */
export function formatTime(moment: Date): string {
  return `${format.format(moment)} UTC`
}
