import { readFileSync, writeFileSync } from 'node:fs'

/** Resets the peak of a process's resident memory to its present size. Throws if the process has ended. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The peak of a process's resident memory since the reset, in bytes. Throws if the process has ended. */
export function readPeak(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return Number(kibibytes) * 1024
}
