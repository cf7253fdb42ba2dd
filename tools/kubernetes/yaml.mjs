// Writes YAML, plain or with Helm's template marks.

/** Text that is written unchanged. */
export class Template {
  constructor(text) {
    this.text = text
  }
}

/** A property or a list item that is present if the condition holds: `{{- if … }}` or `{{- with … }}`. */
export class When {
  constructor(condition, value) {
    this.condition = condition
    this.value = value
  }
}

/** The properties of one of Helm's values, spread into the object that contains it: `{{- with … }}` */
export class Entries {
  constructor(path) {
    this.path = path
  }
}

const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./-]*$/
/** Texts that YAML would parse as another type. */
const RESERVED = /^(y|n|yes|no|on|off|true|false|null|~)$/i

/** A YAML document. Undefined properties are left out. */
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
      // The first property is on the line of the dash, so it can't be conditional.
      if (first.startsWith('{{-')) throw new Error('the first property of an item must not be conditional')
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

/** Single quotes, since Helm's marks contain double quotes. */
function quoted(text) {
  return /[\n\t]/.test(text) ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`
}
