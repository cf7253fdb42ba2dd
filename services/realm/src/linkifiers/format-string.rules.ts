/** A variable, a more complex expression, or a percent sign, which format strings double. */
const PART = /\{([^{}]*)\}|%/g
const NAME = /^[A-Za-z_]\w*$/

/**
 * Converts a URL template (RFC 6570) to the format string that older clients fill in: `%(name)s` for each variable.
 * Null for a template with other expressions than variables.
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
