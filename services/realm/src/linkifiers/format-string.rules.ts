/** A variable by itself, an expression that says more, or a percent sign, which format strings double. */
const PART = /\{([^{}]*)\}|%/g
const NAME = /^[A-Za-z_]\w*$/

/**
 * A URL template (RFC 6570) as the format string that older clients fill in: `%(name)s` for each variable. Null for one that
 * does more with its variables than to put them in.
 */
export function toFormatString(urlTemplate: string): string | null {
  let isPlain = true
  const text = urlTemplate.replace(PART, (part, name: string | undefined) => {
    if (name === undefined) return '%%'
    if (!NAME.test(name)) isPlain = false
    return isPlain ? `%(${name})s` : part
  })
  return isPlain ? text : null
}
