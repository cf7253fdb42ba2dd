import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Paths } from './settings.ts'

/** Holds the ID of the image build that the data are from; in the seed and in the data folder, once they are complete. */
const SEEDED_MARK = 'seeded'
/** The same while the seed is being copied: the other files of the folder are ours and may be incomplete. */
const COPYING_MARK = 'seeding'
/** A folder that a new file system has. */
const LOST_AND_FOUND = 'lost+found'
const POSTGRES_VERSION = join('postgres', 'cluster', 'PG_VERSION')
/** PostgreSQL's lock file, with the process ID of the server. */
const POSTGRES_LOCK = join('postgres', 'cluster', 'postmaster.pid')

/** Marks the seed as complete, with a new build ID. */
export function markSeed({ seedDir }: Paths): void {
  writeFileSync(join(seedDir, SEEDED_MARK), randomUUID())
}

/**
 * Prepares the data folder for the servers. An empty one gets a copy of the seed, so that any mount will do. Returns
 * whether the databases are migrated to this image's schema. Throws if the folder holds foreign files, or data of another
 * major version of PostgreSQL.
 */
export function seedData(paths: Paths): { isMigrated: boolean } {
  const { dataDir, seedDir } = paths
  if (!existsSync(join(dataDir, SEEDED_MARK))) {
    copySeed(paths)
    return { isMigrated: true }
  }
  const [found, wanted] = [dataDir, seedDir].map((dir) => readText(join(dir, POSTGRES_VERSION)))
  if (found !== wanted)
    throw new Error(
      `${dataDir} holds data of PostgreSQL ${found}, and this image has ${wanted}: use the image that created them, or mount an empty folder`,
    )
  // After a SIGKILL the lock's process ID may belong to another process, and PostgreSQL would refuse to start. No server of
  // an earlier run can be alive, since the container is new.
  rmSync(join(dataDir, POSTGRES_LOCK), { force: true })
  return { isMigrated: readText(join(dataDir, SEEDED_MARK)) === readText(join(seedDir, SEEDED_MARK)) }
}

/** Records that the databases are migrated to this image's schema. */
export function markMigrated({ dataDir, seedDir }: Paths): void {
  writeFileSync(join(dataDir, SEEDED_MARK), readText(join(seedDir, SEEDED_MARK)))
}

function copySeed({ dataDir, seedDir }: Paths): void {
  mkdirSync(dataDir, { recursive: true })
  const present = readdirSync(dataDir).filter((name) => name !== LOST_AND_FOUND)
  if (present.length > 0 && !present.includes(COPYING_MARK))
    throw new Error(
      `${dataDir} holds ${present.slice(0, 3).join(', ')}${present.length > 3 ? ' and more' : ''}, which were not created by this image: mount an empty folder`,
    )
  // The mark is deleted last, so that the next start recognizes an incomplete copy.
  for (const name of present) if (name !== COPYING_MARK) rmSync(join(dataDir, name), { recursive: true })
  writeFileSync(join(dataDir, COPYING_MARK), readText(join(seedDir, SEEDED_MARK)))
  // Copies the content rather than the folder, which may have another owner.
  const seeds = readdirSync(seedDir).filter((name) => name !== SEEDED_MARK)
  execFileSync('cp', ['--archive', ...seeds.map((name) => join(seedDir, name)), dataDir])
  renameSync(join(dataDir, COPYING_MARK), join(dataDir, SEEDED_MARK))
}

function readText(path: string): string {
  return readFileSync(path, 'utf8').trim()
}
