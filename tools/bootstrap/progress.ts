/** Shows progress: `log` gets a line per finished step; `status` gets the current step, and '' if there is none. */
export interface Progress {
  log: (line: string) => void
  status: (text: string) => void
}

/**
 * Functions that show progress on a stream: finished steps as lines, and on a terminal the current step in a last line that
 * is overwritten.
 */
export function createProgress(out: NodeJS.WriteStream = process.stdout): Progress {
  let isShown = false
  const write = (text: string) => {
    if (!out.isTTY) return
    out.write(`${isShown ? '\r\x1b[K' : ''}${text.slice(0, (out.columns || 80) - 1)}`)
    isShown = text !== ''
  }
  return {
    log: (line) => {
      write('')
      out.write(`${line}\n`)
    },
    status: (text) => write(text === '' ? '' : `… ${text}`),
  }
}

/** Does the work as a step that is shown with its duration. */
export async function showStep<T>(
  { log, status }: Progress,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = Date.now()
  status(text)
  try {
    const result = await work()
    log(`✓ ${text} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
    return result
  } finally {
    status('')
  }
}
