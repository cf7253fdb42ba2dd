import type { Command } from 'commander'

/** The parts of a process that commands use. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** `isTTY` if it is an interactive terminal. */
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { readonly isTTY?: boolean | undefined; write(text: string): unknown }
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
}

/** The result of a command, for programs and for people. */
export interface Result {
  readonly json: unknown
  readonly text: string
  /** True if an interruption cut the result short; the command then exits as interrupted. */
  readonly isPartial?: boolean
  /** Reported after the result, which is printed nevertheless. */
  readonly failure?: Error
}

/** Makes a command print the result of `run`: as text, or as JSON with `--json`. */
export function registerAction<O extends object>(
  command: Command,
  terminal: Terminal,
  run: (args: string[], options: O) => Promise<Result>,
): Command {
  return command.option('--json', 'print JSON').action(async () => {
    const { json: isJson, ...options } = command.opts<O & { json?: boolean }>()
    const { json, text, isPartial, failure } = await run(
      command.processedArgs as string[],
      options as unknown as O,
    )
    terminal.stdout.write(isJson ? JSON.stringify(json, null, 2) : text)
    // A separate write: on a full disk the first one is cut short silently, and only the next one fails.
    terminal.stdout.write('\n')
    if (isPartial) throw new Error('interrupted')
    if (failure) throw failure
  })
}
