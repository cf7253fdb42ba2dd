const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** A moment as a mail tells it to someone whose time zone isn't known. */
export function tellTime(moment: Date): string {
  return `${format.format(moment)} UTC`
}
