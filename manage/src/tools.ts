import type { Command } from 'commander'

/** What of a process a command has to do with. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** `isTTY` where a person sits before it. */
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { readonly isTTY?: boolean | undefined; write(text: string): unknown }
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
}

/** What a command found or did: for programs, and for people. */
export interface Result {
  readonly json: unknown
  readonly text: string
  /** Whether an interruption has kept the rest from being found; the command ends as interrupted then. */
  readonly isCut?: boolean
}

/** Adds to a command that it prints what `run` returns, for people or, with `--json`, for programs. */
export function answerWith<O extends object>(
  command: Command,
  terminal: Terminal,
  run: (args: string[], options: O) => Promise<Result>,
): Command {
  return command.option('--json', 'print JSON').action(async () => {
    const { json: isJson, ...options } = command.opts<O & { json?: boolean }>()
    const { json, text, isCut } = await run(command.processedArgs as string[], options as unknown as O)
    terminal.stdout.write(isJson ? JSON.stringify(json, null, 2) : text)
    // By itself: a disk that becomes full takes a part of what is written, and tells only whoever writes more.
    terminal.stdout.write('\n')
    if (isCut) throw new Error('interrupted')
  })
}
