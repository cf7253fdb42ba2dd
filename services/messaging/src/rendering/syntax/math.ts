import { createRequire } from 'node:module'

type Library = typeof import('katex')['default']

let library: Library | null = null

/** Loaded with the first formula, since most texts have none. */
function loadLibrary(): Library {
  library ??= createRequire(import.meta.url)('katex') as Library
  return library
}

/** In `em`; larger symbols would cover the text around a formula. */
const MAX_SIZE = 20

/** Commands that define other commands: only these let a formula grow without bounds. */
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|global|long)(?![a-zA-Z])/

/** Limit of code units in a message's formulas that define commands: 300 cost 0.1 s at worst, 1,000 many seconds. */
const MAX_DEFINING = 300

/** What the formulas of one message have used; pass the same object for all of them. */
export interface MathBudget {
  defining: number
}

/** Renders a formula as HTML; null if it is invalid TeX or would cost too much. */
export function renderMath(
  tex: string,
  use: MathBudget,
  { isDisplay }: { isDisplay: boolean },
): string | null {
  if (DEFINES.test(tex)) {
    use.defining += tex.length
    if (use.defining > MAX_DEFINING) return null
  }
  // The library warns about characters without metrics; anyone could flood the log with those.
  const { warn } = console
  Object.assign(console, { warn: () => {} })
  try {
    return loadLibrary().renderToString(tex, {
      displayMode: isDisplay,
      maxSize: MAX_SIZE,
      strict: false,
      trust: false,
      throwOnError: true,
    })
  } catch {
    // Also a RangeError, from braces nested by the thousand.
    return null
  } finally {
    Object.assign(console, { warn })
  }
}
