import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type SystemUser = { uid: number; gid: number }

/**
 * The user to run PostgreSQL as, which refuses to run as root: `postgres`, or `nobody` if that doesn't exist.
 * Undefined: our own user.
 */
export function findPostgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const user = findSystemUser('postgres') ?? findSystemUser('nobody')
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody')
  return user
}

function findSystemUser(name: string): SystemUser | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : Number.NaN
  })
  return uid === undefined || gid === undefined || Number.isNaN(uid + gid) ? null : { uid, gid }
}

/**
 * The folder for PostgreSQL's files: the wanted one, unless its user can't access that (a checkout in root's home,
 * for example); then one under /var/lib that is named after the wanted one.
 */
export function choosePostgresFolder(wanted: string, user: SystemUser | undefined): string {
  mkdirSync(dirname(wanted), { recursive: true })
  if (!user || canEnter(dirname(wanted), user)) return wanted
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12)
  const elsewhere = join('/var/lib/team-messaging-service', hash, 'postgres')
  mkdirSync(dirname(elsewhere), { recursive: true, mode: 0o755 })
  if (existsSync(dirname(elsewhere)) && canEnter(dirname(elsewhere), user)) return elsewhere
  throw new Error(
    `PostgreSQL runs as user ${user.uid}, who can reach neither ${wanted} nor ${elsewhere}: ` +
      'choose another folder with --data-dir',
  )
}

function canEnter(folder: string, user: SystemUser): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0
}
