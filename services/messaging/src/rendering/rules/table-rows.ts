import { isEscaped } from '../syntax/escaped.ts'

/** Alignment of a column; null if none is given. */
export type Alignment = 'left' | 'center' | 'right' | null

const DELIMITERS = /^[|:-][|: \t-]*$/
const DELIMITER = /^:?-+:?$/
/** A dash followed by a space begins an item of a list. */
const STARTS_LIST = /^-[ \t]/

/** The alignments of the line below a header, one for each column; null if it is no such line. */
export function readAlignments(line: string): Alignment[] | null {
  if (!DELIMITERS.test(line) || STARTS_LIST.test(line)) return null
  const cells = withoutBorders(line.split('|').map((cell) => cell.trim()))
  return cells.every((cell) => DELIMITER.test(cell)) ? cells.map(alignmentOf) : null
}

function alignmentOf(delimiter: string): Alignment {
  if (delimiter.endsWith(':')) return delimiter.startsWith(':') ? 'center' : 'right'
  return delimiter.startsWith(':') ? 'left' : null
}

/** The cells of a row. A pipe belongs to a cell inside a code span, and after a backslash, which is then removed. */
export function splitRow(line: string): string[] {
  if (!/[`\\]/.test(line)) return withoutBorders(line.split('|').map((cell) => cell.trim()))
  const cells: string[] = []
  const spanEnds = codeSpanEnds(line)
  let cell = ''
  for (let pos = 0; pos < line.length; pos += 1) {
    const spanEnd = spanEnds.get(pos)
    if (spanEnd !== undefined) {
      cell += line.slice(pos, spanEnd).replaceAll('\\|', '|')
      pos = spanEnd - 1
    } else if (line.startsWith('\\|', pos)) {
      cell += '|'
      pos += 1
    } else if (line.charAt(pos) === '|') {
      cells.push(cell.trim())
      cell = ''
    } else {
      cell += line.charAt(pos)
    }
  }
  cells.push(cell.trim())
  return withoutBorders(cells)
}

/** Removes the empty cells before the first pipe and after the last one. */
function withoutBorders(cells: string[]): string[] {
  const start = cells[0] === '' ? 1 : 0
  const end = cells.length > start && cells.at(-1) === '' ? cells.length - 1 : cells.length
  return cells.slice(start, end)
}

/** End of each code span by its start. */
function codeSpanEnds(line: string): Map<number, number> {
  const ends = new Map<number, number>()
  if (!line.includes('`')) return ends
  const runs = [...line.matchAll(/`+/g)]
  const nextOfLength = new Map<number, number>()
  const closing = new Map<number, number>()
  for (const [at, [marks]] of [...runs.entries()].toReversed()) {
    const next = nextOfLength.get(marks.length)
    if (next !== undefined) closing.set(at, next)
    nextOfLength.set(marks.length, at)
  }
  for (let at = 0; at < runs.length; ) {
    const run = runs[at]
    const closingAt = run && isEscaped(line, run.index) ? undefined : closing.get(at)
    const close = closingAt === undefined ? undefined : runs[closingAt]
    if (run && close) ends.set(run.index, close.index + close[0].length)
    at = (closingAt ?? at) + 1
  }
  return ends
}
