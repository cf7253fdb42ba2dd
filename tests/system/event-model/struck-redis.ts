import { once } from 'node:events'
import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeRedis, connectRedis, createLog, type Redis } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'
import type { Fault } from './history.ts'

/** Of what Redis wrote, this much of the end is lost with a machine, since the file is synced every second. */
const LOST_MS = 900

/** The system's Redis, to be struck. */
export interface StruckRedis {
  /** Resolves when it runs again. */
  strike(how: Fault['blow']['how'], lastsMs: number): Promise<void>
  /** Kills it when the work is done, and starts it without what it has written since the work began. */
  forget(work: () => Promise<unknown>): Promise<void>
  /** Deletes the leases of all partitions: each owner finds that it has lost what it still believes to have. */
  takeLeases(): Promise<void>
  close(): Promise<void>
}

/** Looks where it keeps its data while it answers. */
export async function findRedis({
  servers: { redis: server },
}: Pick<TestSystem, 'servers'>): Promise<StruckRedis> {
  const redis = connectRedis(server.url, createLog('test', 'silent'))
  if (redis.status !== 'ready') await once(redis, 'ready')
  // In a container it has neither a process nor a file that could be reached from here.
  const folder = server.pid === null ? null : await findFolder(redis)

  /** As when the machine goes down: what was not synced yet is missing from the append-only file. */
  const loseTail = async (work: () => Promise<unknown>) => {
    const file = folder === null ? null : growingFile(folder)
    const size = file === null ? 0 : statSync(file).size
    await work()
    await server.kill()
    // Another one, if it was written anew meanwhile.
    if (folder === null || file === null || growingFile(folder) !== file) return
    truncateSync(file, Math.min(size, statSync(file).size))
  }
  const pause = async (lastsMs: number) => {
    const { pid } = server
    if (pid === null) return
    process.kill(pid, 'SIGSTOP')
    await sleep(lastsMs)
    process.kill(pid, 'SIGCONT')
  }
  return {
    strike: async (how, lastsMs) => {
      if (how === 'pause') return pause(lastsMs)
      if (how === 'end') await server.stop()
      else if (how === 'lose') await loseTail(() => sleep(LOST_MS))
      else await server.kill()
      await sleep(lastsMs)
      await server.start()
    },
    forget: async (work) => {
      await loseTail(work)
      await server.start()
    },
    takeLeases: async () => {
      const leases = await redis.keys('*lease').catch(() => [])
      if (leases.length > 0) await redis.del(...leases).catch(() => 0)
    },
    close: () => closeRedis(redis),
  }
}

async function findFolder(redis: Redis): Promise<string> {
  const [, dir = ''] = (await redis.config('GET', 'dir')) as string[]
  const [, name = ''] = (await redis.config('GET', 'appenddirname')) as string[]
  return join(dir, name)
}

/** The part of the append-only file that is being written; null while there are two. */
function growingFile(folder: string): string | null {
  const files = readdirSync(folder).filter((name) => name.endsWith('.incr.aof'))
  return files.length === 1 ? join(folder, files[0] ?? '') : null
}
