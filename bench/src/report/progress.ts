/** Prints progress to a stream that is separate from the result. */
export interface Progress {
  log(line: string): void
  /** Prints the start of a step; the returned function prints its end. */
  step(text: string): (doneText?: string) => void
}

/** Finished steps are lines; a terminal shows the current ones below them. */
export function createProgress(out: NodeJS.WriteStream): Progress {
  const running = new Set<string>()
  const clear = () => {
    if (out.isTTY) out.write('\r\x1b[K')
  }
  const show = () => {
    if (out.isTTY && running.size > 0)
      out.write(`… ${[...running].join(', ')}`.slice(0, (out.columns || 80) - 1))
  }
  const log = (line: string) => {
    clear()
    out.write(`${line}\n`)
    show()
  }
  return {
    log,
    step: (text) => {
      const startedAt = Date.now()
      running.add(text)
      clear()
      show()
      return (doneText = text) => {
        running.delete(text)
        log(`✓ ${doneText} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
      }
    },
  }
}
