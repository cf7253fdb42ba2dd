import { spawn } from 'node:child_process'
import { workspaceEnvironment } from '../bootstrap.ts'
import { repoRoot } from '../repo-root.ts'

export interface ProcessRunner {
  isInterrupted: () => boolean
  /** Runs a program with its output passed on; returns its exit code. */
  run: (command: string, args: string[], env?: Record<string, string>) => Promise<number>
}

/** Runs programs that get the signals of this process. */
export function createRunner(): ProcessRunner {
  const pids = new Set<number>()
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isInterrupted = true
      for (const pid of pids) process.kill(-pid, signal)
    })
  }
  return {
    isInterrupted: () => isInterrupted,
    run: async (command, args, env = {}) => {
      const child = spawn(command, args, {
        cwd: repoRoot,
        stdio: 'inherit',
        // A separate process group, so that a signal ends the workers too, before we clean up.
        detached: true,
        env: { ...workspaceEnvironment(), ...env },
      })
      const { pid } = child
      if (pid !== undefined) pids.add(pid)
      const code = await new Promise<number>((resolve) => {
        child.once('exit', (status) => resolve(status ?? 1))
        child.once('error', (err) => {
          console.error(`${command}: ${err.message}`)
          resolve(1)
        })
      })
      if (pid !== undefined) pids.delete(pid)
      return code
    },
  }
}
