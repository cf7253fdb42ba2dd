import { CommanderError } from 'commander'
import { cleanUp } from './clean-up.ts'
import { CommandError, describeFailure, ExitCode, UnavailableError } from './kernel/errors.ts'
import { createProgram } from './program.ts'
import type { Terminal } from './terminal/command-action.ts'
import { listenForInterruption } from './terminal/interruption.ts'

/**
 * Runs one command and returns its exit code (`ExitCode`). Results go to standard output, errors to standard error. Never
 * throws for an error that an operator or a server can cause.
 */
export async function runManage(args: readonly string[], terminal: Terminal): Promise<number> {
  const listener = listenForInterruption(terminal)
  const done = createProgram(terminal, listener)
    .parseAsync(args, { from: 'user' })
    .then(() => ExitCode.success)
    .catch((err: unknown) => {
      // The interruption is reported below; an undo that failed is reported as an error of its own.
      const isReported =
        listener.signal.aborted && !(err instanceof CommandError || err instanceof UnavailableError)
      return isReported ? ExitCode.interrupted : reportError(err, terminal)
    })
  // A single request to a service is atomic; a command that makes several undoes them here.
  const code = await Promise.race([done, listener.interrupted.then(() => cleanUp(listener, done, terminal))])
  listener.stop()
  if (code === ExitCode.interrupted) terminal.stderr.write('Interrupted.\n')
  return code
}

function reportError(err: unknown, { stderr }: Terminal): number {
  // Commander has printed its errors already. It also ends `--help` with an error, of exit code 0.
  if (err instanceof CommanderError) return err.exitCode === 0 ? ExitCode.success : ExitCode.usage
  const { code, message } = describeFailure(err)
  stderr.write(`${message}\n`)
  return code
}
