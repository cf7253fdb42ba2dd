import { inline } from '../../shared/markdown.ts'

/** Currencies without a smaller unit: their amounts are whole. */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '))

/** `$12.50`, `12.50 EUR`, `1250 JPY`. */
export function money(amount: number | null | undefined, currency: string): string {
  const code = currency.toLowerCase()
  const value = amount ?? 0
  const number = WHOLE.has(code) ? String(value) : (value / 100).toFixed(2)
  return code === 'usd' ? `$${number}` : `${number} ${inline(code).toUpperCase()}`.trim()
}
