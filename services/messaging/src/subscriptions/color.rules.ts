import { badRequest } from '@tms/contracts'

/** Colours of new subscriptions, in turn: 24 distinguishable hues and shades. */
export const palette = [
  '#3f7fbf',
  '#d9662b',
  '#4f9d45',
  '#b5495b',
  '#8463b8',
  '#c99a1f',
  '#2f9c95',
  '#a85f3c',
  '#5d6fd3',
  '#d0578e',
  '#7d9a2e',
  '#51606e',
  '#3aa0d8',
  '#e0893a',
  '#2e7d5b',
  '#c8412f',
  '#9b74d1',
  '#e3b23c',
  '#56b7a6',
  '#8a6a4f',
  '#7b8be0',
  '#e284b0',
  '#9fbf5a',
  '#86939e',
] as const

/** Picks the first unused colours of the palette; if all are in use, they repeat. */
export function pickColors(used: ReadonlySet<string>, count: number): string[] {
  const unused: readonly string[] = palette.filter((color) => !used.has(color))
  return Array.from(
    { length: count },
    (_, index) => unused[index] ?? palette[(used.size + index) % palette.length] ?? palette[0],
  )
}

/** Returns a colour as `#` and six lower-case digits, which is what clients parse. Throws BAD_REQUEST. */
export function parseColor(raw: string): string {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(raw)) throw badRequest('color is not a valid hex color code')
  const digits = raw.slice(1).toLowerCase()
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
}
