import { ExitCode } from './failures.ts'
import { runManage } from './run-manage.ts'
import type { Terminal } from './tools.ts'

/** The process that a command is run as. */
type Process = Pick<NodeJS.Process, 'argv' | 'stdin' | 'stdout' | 'stderr' | 'on' | 'off' | 'exit'>

/** Runs the command that a process was started with, and ends it once all that was printed is taken, or refused. */
export async function runToExit(process: Process, env: NodeJS.ProcessEnv): Promise<never> {
  const { argv, stdin, stdout, stderr } = process
  let failure: Error | null = null
  stdout.on('error', (err: NodeJS.ErrnoException) => {
    // A reader that has seen enough leaves, as `head` does; a disk that is full loses what was asked for.
    if (err.code !== 'EPIPE') failure ??= err
  })
  stderr.on('error', () => {})
  const signals = { on: process.on.bind(process), off: process.off.bind(process) }
  const terminal: Terminal = { env, stdin, stdout, stderr, ...signals }
  const code = await runManage(argv.slice(2), terminal)
  await flushed(stdout)
  if (failure) stderr.write(`What was found could not be written: ${(failure as Error).message}\n`)
  await flushed(stderr)
  // Although a connection may still be closing: what was asked for is answered, or given up.
  return process.exit(failure && code === ExitCode.done ? ExitCode.refused : code)
}

/** Fulfilled when all that was written before has gone out, or can't: what a pipe still holds ends with the process. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}
