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
  const address = file ? { file } : { url: textOf('EXTERNAL_URL', `http://localhost:${port}`) }
  if ('url' in address && !isAddress(address.url)) {
    problems.push(`EXTERNAL_URL ${address.url}: http://host:port, with nothing behind it`)
  }
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

/** Whether organizations can be at this URL: a scheme and a host, with a port or without. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && origin === text
}

/** There exactly while clients are answered and the organization is there. */
export const readyFile = ({ dataDir }: Places): string => join(dataDir, 'ready')
