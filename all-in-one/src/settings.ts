import { join } from 'node:path'

/** Where things are in the image. */
export type Places = {
  /** `services/<name>` is below it. */
  root: string
  /** What runs keep. May be empty, as a tmpfs or a new volume is. */
  dataDir: string
  /** What the first start on an empty `dataDir` begins with: made when the image was built. */
  seedDir: string
}

export type Settings = {
  places: Places
  /** What the gateway listens on. */
  port: number
  logLevel: string
  /** Base URL that clients use, or the file that will say it once the container runs and Docker has chosen its port. */
  address: { url: string } | { file: string }
  organization: { name: string; owner: { email: string; fullName: string; password: string } }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Tells where things are; for building the image, too. */
export function readPlaces(env: Environment): Places {
  return {
    root: env['APP_DIR'] ?? '/app',
    dataDir: env['DATA_DIR'] ?? '/data',
    seedDir: env['SEED_DIR'] ?? '/seed',
  }
}

/** Reads the container's variables. Throws an error that names everything that is wrong with them. */
export function readSettings(env: Environment): Settings {
  const problems: string[] = []
  const textOf = (name: string, byDefault: string) => {
    const value = (env[name] ?? byDefault).trim()
    if (value === '') problems.push(`${name} is empty`)
    return value
  }
  const port = Number(env['PORT'] ?? '8080')
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    problems.push(`PORT ${env['PORT']}: a number, 1 to 65535`)
  const file = env['EXTERNAL_URL_FILE']
  const text = file ? '' : textOf('EXTERNAL_URL', `http://localhost:${port}`)
  const address = file ? { file } : { url: findAddress(text) ?? '' }
  if (address.url === '') problems.push(`EXTERNAL_URL ${text}: http://host:port, with nothing behind it`)
  const settings: Settings = {
    places: readPlaces(env),
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
  if (problems.length > 0) throw new Error(`The configuration is wrong:\n  ${problems.join('\n  ')}`)
  return settings
}

/**
 * The base URL that a text says, if organizations can be there: a scheme and a host, with a port or without; null for any
 * other. The scheme's own port may be written out, as by programs that put URLs together, and is left out, as by clients.
 */
export function findAddress(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin } = new URL(text)
  const written = { 'http:': `${origin}:80`, 'https:': `${origin}:443` }[protocol]
  return written !== undefined && (text === origin || text === written) ? origin : null
}

/** There exactly while clients are answered and the organization is there. */
export const readyFile = ({ dataDir }: Places): string => join(dataDir, 'ready')
