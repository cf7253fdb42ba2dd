import { type AuditRecord, auditRecord } from '@tms/contracts'

const names = Object.keys(auditRecord.shape) as (keyof AuditRecord)[]

/** The line of names. */
export const csvHeader = `${names.join(',')}\n`

/** An entry as a line of CSV (RFC 4180), with its details as JSON. */
export const toCsvLine = (entry: AuditRecord): string =>
  names
    .map((name) => {
      const value = entry[name]
      if (Array.isArray(value)) return value.join(' ')
      return toCell(typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''))
    })
    .join(',')

/** A spreadsheet would compute what begins like a formula, so such a text is preceded by an apostrophe. */
function toCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
