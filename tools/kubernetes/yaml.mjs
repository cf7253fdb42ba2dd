// Writes YAML, plain or with the marks of Helm in it.

/** Stands in the text as it is. */
export class Template {
  constructor(text) {
    this.text = text
  }
}

/** A property or an item of a list that is there when the condition holds: `{{- if … }}`, or `{{- with … }}`. */
export class When {
  constructor(condition, value) {
    this.condition = condition
    this.value = value
  }
}

/** Stands for the properties of a value of Helm's, whatever its own name is: `{{- with … }}` */
export class Entries {
  constructor(path) {
    this.path = path
  }
}

const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./-]*$/
/** What YAML would take for something else than a text. */
const RESERVED = /^(y|n|yes|no|on|off|true|false|null|~)$/i

/** A document. Properties that are undefined are left out. */
export function toYaml(value) {
  return `${lines(value, 0).join('\n').trim()}\n`
}

function lines(value, depth) {
  const indent = '  '.repeat(depth)
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      if (item instanceof When)
        return [`{{- ${item.condition} }}`, ...lines([item.value], depth), '{{- end }}']
      if (!isBranch(item)) return [`${indent}- ${scalar(item)}`]
      const [first, ...rest] = lines(item, depth + 1)
      // An object whose first property may be missing can't begin on the line of its dash.
      if (first.startsWith('{{-')) throw new Error('the first property of an item has to be there always')
      return [`${indent}- ${first.trimStart()}`, ...rest]
    })
  }
  return Object.entries(value).flatMap(([key, item]) => {
    if (item === undefined) return []
    if (item instanceof When)
      return [`{{- ${item.condition} }}`, ...lines({ [key]: item.value }, depth), '{{- end }}']
    if (item instanceof Entries)
      return [`{{- with ${item.path} }}{{ toYaml . | nindent ${indent.length} }}{{- end }}`]
    const name = PLAIN.test(key) && !RESERVED.test(key) ? key : quoted(key)
    if (!isBranch(item)) return [`${indent}${name}: ${scalar(item)}`]
    return [`${indent}${name}:`, ...lines(item, depth + 1)]
  })
}

function isBranch(value) {
  if (value === null || typeof value !== 'object' || value instanceof Template) return false
  return Object.values(value).some((item) => item !== undefined)
}

function scalar(value) {
  if (value instanceof Template) return value.text
  if (typeof value === 'string') return PLAIN.test(value) && !RESERVED.test(value) ? value : quoted(value)
  if (value !== null && typeof value === 'object') return Array.isArray(value) ? '[]' : '{}'
  return JSON.stringify(value)
}

/** In single quotes, since Helm's marks have double ones in them. */
function quoted(text) {
  return /[\n\t]/.test(text) ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`
}
