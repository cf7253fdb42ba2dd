import { isEscaped } from '../escaped.ts'

/** Where the text of a column stands in its cells; null where nobody said. */
export type Alignment = 'left' | 'center' | 'right' | null

const DELIMITERS = /^[|:-][|: \t-]*$/
const DELIMITER = /^:?-+:?$/
/** Dashes with a space after the first are an item of a list. */
const STARTS_LIST = /^-[ \t]/

/** The alignments that the line below a header gives, one for each column, or null if it is no such line. */
export function readAlignments(line: string): Alignment[] | null {
  if (!DELIMITERS.test(line) || STARTS_LIST.test(line)) return null
  const cells = withoutBorders(line.split('|').map((cell) => cell.trim()))
  return cells.every((cell) => DELIMITER.test(cell)) ? cells.map(alignmentOf) : null
}

function alignmentOf(delimiter: string): Alignment {
  if (delimiter.endsWith(':')) return delimiter.startsWith(':') ? 'center' : 'right'
  return delimiter.startsWith(':') ? 'left' : null
}

/** The cells of a row. A pipe is part of a cell in a code span, and behind a backslash, which is then dropped. */
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

/** Without what is before the first pipe and behind the last one, if the row begins and ends with them. */
function withoutBorders(cells: string[]): string[] {
  const start = cells[0] === '' ? 1 : 0
  const end = cells.length > start && cells.at(-1) === '' ? cells.length - 1 : cells.length
  return cells.slice(start, end)
}

/** Where the code span ends that begins at a position. */
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
