import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from './settings.ts'

/** Says of which build of the image the data are: in the seed as in the data, there from when they are whole. */
const MARK = 'seeded'
/** The same while they are being copied: what lies beside it is ours, and may be cut short. */
const MARK_OF_COPYING = 'seeding'
/** A fresh file system has it. */
const OF_FILE_SYSTEMS = 'lost+found'
const POSTGRES_VERSION = join('postgres', 'cluster', 'PG_VERSION')
/** PostgreSQL's note of who serves these data. */
const POSTGRES_LOCK = join('postgres', 'cluster', 'postmaster.pid')

/** Ends the making of a seed: from here on it is the one of this build. */
export function markSeed({ seedDir }: Places): void {
  writeFileSync(join(seedDir, MARK), randomUUID())
}

/**
 * Makes the data folder ready for servers. The first time it gets what was made with the image: a copy, so that the
 * folder may be anything that can be mounted. Answers whether the databases are as this image has them. Throws where the
 * folder holds what isn't ours, or what this image's PostgreSQL can't read.
 */
export function seedData(places: Places): { isMigrated: boolean } {
  const { dataDir, seedDir } = places
  if (!existsSync(join(dataDir, MARK))) {
    copySeed(places)
    return { isMigrated: true }
  }
  const [found, wanted] = [dataDir, seedDir].map((dir) => readText(join(dir, POSTGRES_VERSION)))
  if (found !== wanted)
    throw new Error(
      `${dataDir} holds data of PostgreSQL ${found}, and this image has ${wanted}: start the image that they are from, or mount an empty folder`,
    )
  // After a SIGKILL its process number may be another's, in whom PostgreSQL would see itself running. Nothing of an
  // earlier run lives: this process is the container's.
  rmSync(join(dataDir, POSTGRES_LOCK), { force: true })
  return { isMigrated: readText(join(dataDir, MARK)) === readText(join(seedDir, MARK)) }
}

/** Notes that the databases are as this image has them, from now on. */
export function markMigrated({ dataDir, seedDir }: Places): void {
  writeFileSync(join(dataDir, MARK), readText(join(seedDir, MARK)))
}

function copySeed({ dataDir, seedDir }: Places): void {
  mkdirSync(dataDir, { recursive: true })
  const present = readdirSync(dataDir).filter((name) => name !== OF_FILE_SYSTEMS)
  if (present.length > 0 && !present.includes(MARK_OF_COPYING))
    throw new Error(
      `${dataDir} holds ${present.slice(0, 3).join(', ')}${present.length > 3 ? ' and more' : ''}, which no container of this image has put there: mount an empty folder`,
    )
  // The mark stays until the end, so that what this leaves over is still known for ours.
  for (const name of present) if (name !== MARK_OF_COPYING) rmSync(join(dataDir, name), { recursive: true })
  writeFileSync(join(dataDir, MARK_OF_COPYING), readText(join(seedDir, MARK)))
  // What is in it and not the folder itself, whose owner may be another.
  const seeds = readdirSync(seedDir).filter((name) => name !== MARK)
  execFileSync('cp', ['--archive', ...seeds.map((name) => join(seedDir, name)), dataDir])
  renameSync(join(dataDir, MARK_OF_COPYING), join(dataDir, MARK))
}

function readText(path: string): string {
  return readFileSync(path, 'utf8').trim()
}
