const EXPRESSION = /\{([^{}]*)\}/g
/** RFC 6570, 2.3 and 2.4: a name, and an optional prefix length or explode modifier. */
const VARIABLE = /^((?:\w|%[0-9a-f]{2})+(?:\.(?:\w|%[0-9a-f]{2})+)*)(?::[1-9]\d{0,3}|\*)?$/i

/** The variables of an RFC 6570 template; null if it is invalid. */
export function templateVariables(template: string): Set<string> | null {
  if (/[{}]/.test(template.replaceAll(EXPRESSION, ''))) return null
  const variables = new Set<string>()
  for (const [, expression = ''] of template.matchAll(EXPRESSION)) {
    for (const written of expression.replace(/^[+#./;?&]/, '').split(',')) {
      const name = VARIABLE.exec(written)?.[1]
      if (name === undefined) return null
      variables.add(name)
    }
  }
  return variables
}
