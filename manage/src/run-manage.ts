import { CommanderError } from 'commander'
import { ExitCode, failureOf } from './failures.ts'
import { createProgram } from './program.ts'
import type { Terminal } from './tools.ts'

/**
 * Runs one command and returns the exit code: 0 done, 1 refused, 2 not understood, 3 a server is away, 130
 * interrupted. What was found goes to the standard output, and what went wrong to the standard error. Never throws for
 * what an operator or a server can cause.
 */
export async function runManage(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal)
  let interrupt = (): void => {}
  const interrupted = new Promise<number>((resolve) => {
    interrupt = () => resolve(ExitCode.interrupted)
  })
  terminal.once('SIGINT', interrupt)
  terminal.once('SIGTERM', interrupt)
  const done = program
    .parseAsync(args, { from: 'user' })
    .then(() => ExitCode.done)
    .catch((err: unknown) => reported(err, terminal))
  // What a service has been asked for it does whole, or not at all.
  const code = await Promise.race([done, interrupted])
  terminal.off('SIGINT', interrupt)
  terminal.off('SIGTERM', interrupt)
  if (code === ExitCode.interrupted) terminal.stderr.write('Interrupted.\n')
  return code
}

function reported(err: unknown, { stderr }: Terminal): number {
  // Told already, by whoever reads the arguments; asking for help is no mistake.
  if (err instanceof CommanderError) return err.exitCode === 0 ? ExitCode.done : ExitCode.misunderstood
  const { code, message } = failureOf(err)
  stderr.write(`${message}\n`)
  return code
}
