import type { Colors } from './colors.ts'

export type RenderOptions = {
  colors: Colors
  /** Lines below this level are left out (pino's numbers: 30 info, 40 warn). */
  minLevel: number
}

const levelNames: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

const WARN = 40
const MAX_VALUE_LENGTH = 160

/** Shown by the prefix already, or of no use to a reader. */
const hiddenFields = new Set(['level', 'time', 'pid', 'hostname', 'name', 'service', 'msg', 'err', 'v'])

/**
 * A service's log line for people: time, service, level, message, fields, and the stack of an error. Null if it is
 * below the wanted level. A line that isn't JSON (a crash's stack, for example) is shown as it is.
 */
export function renderLogLine(name: string, line: string, options: RenderOptions): string | null {
  const { colors } = options
  const prefix = colors.cyan(name.padEnd(11))
  const entry = parseEntry(line)
  if (!entry) return line.trim() === '' ? null : `${colors.dim('--:--:--')} ${prefix} ${line}`
  const level = levelOf(entry['level'])
  if (level < options.minLevel) return null

  const fields = Object.entries(entry)
    .filter(([key]) => !hiddenFields.has(key))
    .map(([key, value]) => colors.dim(`${key}=${renderValue(value)}`))
  const parts = [
    renderTime(entry['time']),
    prefix,
    renderLevel(level, colors),
    textOf(entry['msg']),
    ...fields,
  ]
  return [
    parts.join(' '),
    ...renderError(entry['err']).map((text) => `${' '.repeat(9)}${prefix} ${text}`),
  ].join('\n')
}

function parseEntry(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
}

function renderTime(time: unknown): string {
  const date = typeof time === 'number' || typeof time === 'string' ? new Date(time) : null
  if (!date || Number.isNaN(date.getTime())) return '--:--:--'
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

/** The services write names; other programs that log with pino may write its numbers. */
function levelOf(level: unknown): number {
  if (typeof level === 'number') return level
  const known = Object.entries(levelNames).find(([, name]) => name === level)
  return known ? Number(known[0]) : WARN
}

function renderLevel(level: number, colors: Colors): string {
  const text = (levelNames[level] ?? String(level)).padEnd(5)
  if (level >= 50) return colors.red(text)
  return level >= WARN ? colors.yellow(text) : colors.dim(text)
}

function renderValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

function renderError(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return err === undefined ? [] : [renderValue(err)]
  const { stack, message } = err as { stack?: unknown; message?: unknown }
  return (textOf(stack) || textOf(message)).split('\n').filter((text) => text !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
