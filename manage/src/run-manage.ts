import { CommanderError } from 'commander'
import { CommandError, ExitCode, failureOf, UnavailableError } from './failures.ts'
import { listenForInterruption } from './interruption.ts'
import { createProgram } from './program.ts'
import { tidyUp } from './tidy-up.ts'
import type { Terminal } from './tools.ts'

/**
 * Runs one command and returns the exit code: 0 done, 1 refused, 2 not understood, 3 a server is away, 130
 * interrupted. What was found goes to the standard output, and what went wrong to the standard error. Never throws for
 * what an operator or a server can cause.
 */
export async function runManage(args: readonly string[], terminal: Terminal): Promise<number> {
  const listening = listenForInterruption(terminal)
  const done = createProgram(terminal, listening)
    .parseAsync(args, { from: 'user' })
    .then(() => ExitCode.done)
    .catch((err: unknown) => {
      // That it was interrupted is told below; what it could not undo then is told by itself.
      const isSaid =
        listening.signal.aborted && !(err instanceof CommandError || err instanceof UnavailableError)
      return isSaid ? ExitCode.interrupted : reported(err, terminal)
    })
  // What a service has been asked for it does whole, or not at all; what takes several of them is undone here.
  const code = await Promise.race([done, listening.interrupted.then(() => tidyUp(listening, done, terminal))])
  listening.stop()
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
