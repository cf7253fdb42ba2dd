// The source of each setting of a service in a cluster.
import { components } from './components.ts'

/**
 * Variables in the Secret: credentials, URLs that contain passwords, and the servers' certificate authorities, which migrations
 * need before the ConfigMap exists.
 */
const SECRET_VARIABLES = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'RABBITMQ_URL',
  'MAIL_URL',
  'BIG_BLUE_BUTTON_SECRET',
  'FCM_SERVICE_ACCOUNT',
  'APNS_KEY',
  'APNS_KEY_ID',
  'PUSH_REGISTRATION_KEY',
  'PUSH_RELAY_KEY',
  'WEB_PUSH_PRIVATE_KEY',
  'WEB_PUSH_PUBLIC_KEY',
  'SIGN_ON',
  'JWT_PRIVATE_KEY',
  'JWT_PUBLIC_KEY',
  'INTERNAL_PRIVATE_KEY',
  'INTERNAL_PUBLIC_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'TLS_CA',
  'TLS_CERTIFICATE',
  'TLS_KEY',
  'UPLOADS_S3_ACCESS_KEY_ID',
  'UPLOADS_S3_SECRET_ACCESS_KEY',
])
/** Differ between services: their keys begin with the service's name, as MESSAGING_DATABASE_URL. */
const PER_SERVICE = new Set(['DATABASE_URL', 'DATABASE_POOL_MAX'])
/** The images' defaults fit, DEVELOPMENT_LOGIN must be off in a cluster, and the chart sets SERVE_TLS. */
const LEFT_OUT = new Set(['HOST', 'PORT', 'DEVELOPMENT_LOGIN', 'OTEL_SERVICE_NAME', 'SERVE_TLS'])
/** Required although the service has a default, which fits only a developer's machine. */
const REQUIRED_HERE = new Set(['EXTERNAL_HOST'])

const SPOOL_DIR = '/spool'

/** The JSON schema of a value. */
export interface ValueSchema {
  type?: string
  enum?: unknown[]
  minimum?: number
  maximum?: number
  pattern?: string
}

type Default = string | number | boolean | null | undefined

/** Where the value of a variable is from: the Secret or the ConfigMap, by its key there; the address of a service; or fixed. */
type Source = { secret: string } | { setting: string } | { service: string } | { value: string }

export interface Setting {
  name: string
  source: Source
  isRequired: boolean
  description: string
  /** The service's default. */
  fallback: Default
  schema: ValueSchema
}

export type SettingsByService = Readonly<Record<string, readonly Setting[]>>

/** A declared variable, as far as the tool reads it. */
interface Declared {
  description?: string
  safeParse: (value: undefined) => { success: boolean }
  parse: (value: undefined) => Default
  toJSONSchema: (options: object) => ValueSchema
}

/** The settings of a service, in the order of their declaration. */
export async function readSettings(service: string): Promise<Setting[]> {
  const { configSchema }: { configSchema: { shape: Record<string, Declared> } } = await import(
    `../../services/${service}/dist/config.js`
  )
  return Object.entries(configSchema.shape)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, declared]) => {
      const isOptional = declared.safeParse(undefined).success
      return {
        name,
        source: findSource(name, service),
        isRequired: !isOptional || REQUIRED_HERE.has(name),
        description: declared.description ?? '',
        fallback: isOptional ? declared.parse(undefined) : undefined,
        schema: declared.toJSONSchema({ io: 'output', unrepresentable: 'any' }),
      }
    })
}

function findSource(name: string, service: string): Source {
  const key = PER_SERVICE.has(name) ? `${service.toUpperCase()}_${name}` : name
  if (SECRET_VARIABLES.has(name)) return { secret: key }
  const called = /^([A-Z]+)_URL$/.exec(name)?.[1]?.toLowerCase()
  if (called !== undefined && components.includes(called)) return { service: called }
  if (name === 'UPLOADS_SPOOL_DIR') return { value: SPOOL_DIR }
  return { setting: key }
}

/** A key of the ConfigMap or the Secret, with the services that read it. */
export interface Key extends Omit<Setting, 'name' | 'source'> {
  key: string
  services: string[]
}

/** The keys of the ConfigMap or the Secret, each once. */
export function listKeys(settingsByService: SettingsByService, kind: 'setting' | 'secret'): Key[] {
  const keys = new Map<string, Key>()
  for (const [service, settings] of Object.entries(settingsByService)) {
    for (const { name: _, source, ...setting } of settings) {
      const key = new Map(Object.entries(source)).get(kind)
      if (key === undefined) continue
      const known = keys.get(key)
      if (known) known.services.push(service)
      else keys.set(key, { ...setting, key, services: [service] })
    }
  }
  return [...keys.values()].sort((a, b) => a.key.localeCompare(b.key))
}
