/** A time in the reader's zone; null for none: not a time, or year 1, which senders in Go write for none. */
export function time(iso: string | number | null | undefined): string | null {
  if (iso === null || iso === undefined || iso === '') return null
  const date = new Date(typeof iso === 'number' ? iso * 1000 : iso)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() <= 1) return null
  return `<time:${date.toISOString().replace(/\.\d+Z$/, 'Z')}>`
}
