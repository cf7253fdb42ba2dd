import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeRedis, mastersOf, type Redis } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'
import { openTestRedis } from '../support/test-redis.ts'
import type { Fault } from './history.ts'
import { insist } from './insist.ts'

/** Of what Redis wrote, this much of the end is lost with a machine, since the file is synced every second. */
const LOST_MS = 900

/** The system's Redis, to be struck. */
export interface StruckRedis {
  /** Resolves when it runs again. */
  strike(how: Fault['blow']['how'], lastsMs: number): Promise<void>
  /** Kills it when the work is done, and starts it without what it has written since the work began. */
  forget(work: () => Promise<unknown>): Promise<void>
  /**
   * Deletes the leases of all partitions: each owner finds that it has lost what it still believes to have. Where Redis, or
   * everyone who takes leases, is struck at the same time, when they are back.
   */
  takeLeases(): Promise<void>
  close(): Promise<void>
}

/** Looks where it keeps its data while it answers. */
export async function findRedis({ servers }: Pick<TestSystem, 'servers'>): Promise<StruckRedis> {
  const server = servers.redis
  const redis = await openTestRedis(servers)
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
    takeLeases: () =>
      insist(async () => {
        const taken = await Promise.all(mastersOf(redis).map(takeLeasesOf))
        if (taken.every((count) => count === 0)) throw new Error('nobody holds a lease')
      }),
    close: () => closeRedis(redis),
  }
}

/** One by one: those of several partitions can't be named in one command of a cluster. */
async function takeLeasesOf(master: ReturnType<typeof mastersOf>[number]): Promise<number> {
  const leases = await master.keys('*:lease')
  const taken = await Promise.all(leases.map((lease) => master.del(lease)))
  return taken.reduce((sum, count) => sum + count, 0)
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
