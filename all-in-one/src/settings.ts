import { join } from 'node:path'

/** Folders of the image. */
export type Paths = {
  /** Contains `services/<name>`. */
  root: string
  /** Data of the running servers. May be empty at the start, as a tmpfs or a new volume. */
  dataDir: string
  /** Initial content of an empty `dataDir`, created when the image was built. */
  seedDir: string
}

export type Settings = {
  paths: Paths
  /** Port of the gateway. */
  port: number
  logLevel: string
  /** Base URL that clients use, or a file that will contain it once Docker has assigned a port. */
  address: { url: string } | { file: string }
  organization: { name: string; owner: { email: string; fullName: string; password: string } }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the folders from variables; the build of the image uses it too. */
export function readPaths(env: Environment): Paths {
  return {
    root: env['APP_DIR'] ?? '/app',
    dataDir: env['DATA_DIR'] ?? '/data',
    seedDir: env['SEED_DIR'] ?? '/seed',
  }
}

/** Reads the container's variables. Throws one error that lists all invalid ones. */
export function readSettings(env: Environment): Settings {
  const problems: string[] = []
  const textOf = (name: string, fallback: string) => {
    const value = (env[name] ?? fallback).trim()
    if (value === '') problems.push(`${name} is empty`)
    return value
  }
  const port = Number(env['PORT'] ?? '8080')
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    problems.push(`PORT ${env['PORT']}: must be a number from 1 to 65535`)
  const file = env['EXTERNAL_URL_FILE']
  const text = file ? '' : textOf('EXTERNAL_URL', `http://localhost:${port}`)
  const address = file ? { file } : { url: parseAddress(text) ?? '' }
  if (address.url === '') problems.push(`EXTERNAL_URL ${text}: must be http(s)://host[:port] without a path`)
  const settings: Settings = {
    paths: readPaths(env),
    port,
    logLevel: textOf('LOG_LEVEL', 'warn'),
    address,
    organization: {
      name: textOf('ORGANIZATION_NAME', 'Team Messaging'),
      owner: {
        email: textOf('OWNER_EMAIL', 'owner@example.com'),
        fullName: textOf('OWNER_FULL_NAME', 'Organization Owner'),
        password: textOf('OWNER_PASSWORD', 'the password of the owner'),
      },
    },
  }
  if (problems.length > 0) throw new Error(`Invalid configuration:\n  ${problems.join('\n  ')}`)
  return settings
}

/**
 * Parses a base URL: a scheme and a host, with or without a port; null for anything else. A default port is removed, since
 * clients leave it out.
 */
export function parseAddress(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin } = new URL(text)
  const written = { 'http:': `${origin}:80`, 'https:': `${origin}:443` }[protocol]
  return written !== undefined && (text === origin || text === written) ? origin : null
}

/** The file exists while the system serves clients and the organization exists. */
export const readyFile = ({ dataDir }: Paths): string => join(dataDir, 'ready')
