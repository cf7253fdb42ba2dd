import { ExitCode } from './kernel/errors.ts'
import { runManage } from './run-manage.ts'
import type { Terminal } from './terminal/command-action.ts'

/** The process that runs the command. */
type Process = Pick<NodeJS.Process, 'argv' | 'stdin' | 'stdout' | 'stderr' | 'on' | 'off' | 'exit'>

/** Runs the command of this process and exits once all output was read, or can't be written. */
export async function runToExit(process: Process, env: NodeJS.ProcessEnv): Promise<never> {
  const { argv, stdin, stdout, stderr } = process
  let failure: Error | null = null
  stdout.on('error', (err: NodeJS.ErrnoException) => {
    // EPIPE: the reader closed the pipe on purpose, as `head` does. Other errors, such as a full disk, lose the result.
    if (err.code !== 'EPIPE') failure ??= err
  })
  stderr.on('error', () => {})
  const signals = { on: process.on.bind(process), off: process.off.bind(process) }
  const terminal: Terminal = { env, stdin, stdout, stderr, ...signals }
  const code = await runManage(argv.slice(2), terminal)
  await flush(stdout)
  if (failure) stderr.write(`The result could not be written: ${(failure as Error).message}\n`)
  await flush(stderr)
  // Doesn't wait for connections that are still closing.
  return process.exit(failure && code === ExitCode.success ? ExitCode.failure : code)
}

/** Resolves when earlier writes were flushed or failed; exiting discards data that is still buffered for a pipe. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}
