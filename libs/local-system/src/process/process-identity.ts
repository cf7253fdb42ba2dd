import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Distinguishes processes that had the same pid at different times, by their start time. Null if no such process runs
 * (one that has ended but was not reaped yet counts as ended).
 */
export function findProcessIdentity(pid: number): string | null {
  if (process.platform !== 'linux') return findIdentityWithPs(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses and may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, startTicks] = [fields[0], fields[19]]
    if (state === 'Z' || state === 'X' || startTicks === undefined) return null
    // Ticks count from boot, so the boot ID must be part of it.
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`
  } catch {
    return null
  }
}

function findIdentityWithPs(pid: number): string | null {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const line = stdout?.trim() ?? ''
  if (status !== 0 || line === '' || line.startsWith('Z')) return null
  return line.replace(/^\S+\s+/, '')
}
