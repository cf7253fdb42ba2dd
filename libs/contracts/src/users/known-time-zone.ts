/**
 * The time zone, or UTC without one or if it isn't known here: imports bring any, and a newer release may know more. Work for
 * many users mustn't end with one of them.
 */
export function knownTimeZone(name: string): string {
  if (name === '') return 'UTC'
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    return 'UTC'
  }
}
