import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeRedis, mastersOf, type Redis } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'
import { openTestRedis } from '../support/test-redis.ts'
import type { Fault } from './history.ts'
import { retryUntilSuccess } from './retry-until-success.ts'

/** The end of Redis' file that is lost with a machine, since the file is synced every second. */
const LOST_MS = 900

/** Faults of the system's Redis. */
export interface RedisFaults {
  /** Resolves when it runs again. */
  injectFault(how: Fault['kind']['how'], lastsMs: number): Promise<void>
  /** Kills it after the work, and starts it without the writes since the work began. */
  loseWrites(work: () => Promise<unknown>): Promise<void>
  /**
   * Deletes the leases of all partitions: each owner finds that it lost its ownership. If Redis or all owners are down at the
   * same time, retries until they are back.
   */
  deleteLeases(): Promise<void>
  close(): Promise<void>
}

/** Finds its data folder while it responds. */
export async function openRedisFaults({ servers }: Pick<TestSystem, 'servers'>): Promise<RedisFaults> {
  const server = servers.redis
  const redis = await openTestRedis(servers)
  // In a container neither its process nor its files can be reached from here.
  const folder = server.pid === null ? null : await findFolder(redis)

  /** As when the machine goes down: unsynced writes are missing from the append-only file. */
  const loseTail = async (work: () => Promise<unknown>) => {
    const file = folder === null ? null : growingFile(folder)
    const size = file === null ? 0 : statSync(file).size
    await work()
    await server.kill()
    // Another file, if it was rewritten meanwhile.
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
    injectFault: async (how, lastsMs) => {
      if (how === 'pause') return pause(lastsMs)
      if (how === 'end') await server.stop()
      else if (how === 'lose') await loseTail(() => sleep(LOST_MS))
      else await server.kill()
      await sleep(lastsMs)
      await server.start()
    },
    loseWrites: async (work) => {
      await loseTail(work)
      await server.start()
    },
    deleteLeases: () =>
      retryUntilSuccess(async () => {
        const deleted = await Promise.all(mastersOf(redis).map(deleteLeasesOf))
        if (deleted.every((count) => count === 0)) throw new Error('there is no lease')
      }),
    close: () => closeRedis(redis),
  }
}

/** One by one: a cluster rejects a command with keys of several partitions. */
async function deleteLeasesOf(master: ReturnType<typeof mastersOf>[number]): Promise<number> {
  const leases = await master.keys('*:lease')
  const deleted = await Promise.all(leases.map((lease) => master.del(lease)))
  return deleted.reduce((sum, count) => sum + count, 0)
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
