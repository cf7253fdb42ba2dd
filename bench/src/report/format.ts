/** 1,234 or 12.3 or 0.123: about three digits, and all digits before the point. */
export function asNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export const asCount = (value: number): string => Math.round(value).toLocaleString('en-US')
export const asMs = (value: number): string => `${asNumber(value)} ms`
export const asPercent = (part: number): string => `${Math.round(part * 100)} %`
/** Of bytes. */
export const asKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`
/** Of bytes. */
export const asMb = (bytes: number): string => `${asNumber(bytes / 1_000_000)} MB`
