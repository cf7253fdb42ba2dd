import { createRequire } from 'node:module'

type Library = typeof import('katex')['default']

let library: Library | null = null

/** Loaded with the first formula: most texts have none. */
function loadLibrary(): Library {
  library ??= createRequire(import.meta.url)('katex') as Library
  return library
}

/** In `em`; more would cover what stands around a formula. */
const MAX_SIZE = 20

/** Commands that make other commands: a formula can grow without bounds only by these. */
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|global|long)(?![a-zA-Z])/

/** Code units of the formulas of one message that define commands: 300 cost 0.1 s at worst, 1,000 many seconds. */
const MAX_DEFINING = 300

/** What the formulas of one message have used up; pass the same for all of them. */
export interface MathUse {
  defining: number
}

/** A formula as HTML, or null for one that is no good TeX or would cost too much. */
export function renderMath(tex: string, use: MathUse, { isDisplay }: { isDisplay: boolean }): string | null {
  if (DEFINES.test(tex)) {
    use.defining += tex.length
    if (use.defining > MAX_DEFINING) return null
  }
  // It tells of characters that it has no measures for; anyone could fill the log with those.
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
    // A RangeError too: braces nested by the thousand.
    return null
  } finally {
    Object.assign(console, { warn })
  }
}
