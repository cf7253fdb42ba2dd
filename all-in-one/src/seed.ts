import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from './settings.ts'

/** Written last, so that a copy which was cut short is made again. */
const MARK = 'seeded'
/** PostgreSQL's note of who serves these data. */
const POSTGRES_LOCK = join('postgres', 'cluster', 'postmaster.pid')

/**
 * Makes the data folder ready for servers. The first time it gets what was made with the image: a copy, so that the
 * folder may be anything that can be mounted.
 */
export function seedData({ dataDir, seedDir }: Places): void {
  if (existsSync(join(dataDir, MARK))) {
    // After a SIGKILL its process number may be another's, in whom PostgreSQL would see itself running. Nothing of an
    // earlier run lives: this process is the container's.
    rmSync(join(dataDir, POSTGRES_LOCK), { force: true })
    return
  }
  mkdirSync(dataDir, { recursive: true })
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true })
  // What is in it and not the folder itself, whose owner may be another.
  const seeds = readdirSync(seedDir).map((name) => join(seedDir, name))
  execFileSync('cp', ['--archive', ...seeds, dataDir])
  writeFileSync(join(dataDir, MARK), '')
}
