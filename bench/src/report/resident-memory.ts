import { readFileSync, writeFileSync } from 'node:fs'

/** Lets the peak of a process's resident memory start anew from what it has now. Throws when the process is gone. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The most bytes that a process had from the system since its peak was reset. Throws when the process is gone. */
export function readPeak(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return Number(kibibytes) * 1024
}
