// Where each setting that a service declares comes from in a cluster.
import { components, PORT } from './components.mjs'

export const SETTINGS = 'tms-settings'
export const SECRETS = 'tms-secrets'

/**
 * In the Secret: what lets somebody in somewhere, and the addresses, since those have passwords in them; and the authorities
 * of servers, which migrations need before the settings are there.
 */
const SECRET = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'RABBITMQ_URL',
  'MAIL_URL',
  'BIG_BLUE_BUTTON_SECRET',
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
/** Differ from service to service: their keys begin with the service's name, as MESSAGING_DATABASE_URL. */
const OF_EACH_SERVICE = new Set(['DATABASE_URL', 'DATABASE_POOL_MAX'])
/** The defaults of the images fit, DEVELOPMENT_LOGIN has no business in a cluster, and SERVE_TLS is said with what it needs. */
const LEFT_OUT = new Set(['HOST', 'PORT', 'DEVELOPMENT_LOGIN', 'OTEL_SERVICE_NAME', 'SERVE_TLS'])
/** The default is one for a developer's machine. */
const NEEDED_HERE = new Set(['EXTERNAL_HOST'])

export const SPOOL_DIR = '/spool'

/**
 * @typedef {object} Setting
 * @property {string} name
 * @property {'secret' | 'settings' | 'peer' | 'fixed'} source
 * @property {string} key in the Secret or the ConfigMap; the service's name for a peer; the value if fixed
 * @property {boolean} isRequired
 * @property {string} description
 * @property {unknown} fallback
 * @property {Record<string, unknown>} schema JSON schema of what the service makes of it
 */

/**
 * What a service reads, in the order of its declaration.
 * @returns {Promise<Setting[]>}
 */
export async function settingsOf(service) {
  const { configSchema } = await import(`../../services/${service}/dist/config.js`)
  return Object.entries(configSchema.shape)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, declared]) => {
      const isOptional = declared.safeParse(undefined).success
      return {
        name,
        ...sourceOf(name, service),
        isRequired: !isOptional || NEEDED_HERE.has(name),
        description: declared.description ?? '',
        fallback: isOptional ? declared.parse(undefined) : undefined,
        schema: declared.toJSONSchema({ io: 'output', unrepresentable: 'any' }),
      }
    })
}

function sourceOf(name, service) {
  const key = OF_EACH_SERVICE.has(name) ? `${service.toUpperCase()}_${name}` : name
  if (SECRET.has(name)) return { source: 'secret', key }
  const peer = /^([A-Z]+)_URL$/.exec(name)?.[1]?.toLowerCase()
  if (peer !== undefined && peer in components) return { source: 'peer', key: peer }
  if (name === 'UPLOADS_SPOOL_DIR') return { source: 'fixed', key: SPOOL_DIR }
  return { source: 'settings', key }
}

/** Everything that a container's environment is made from. `t` is the target that is written for. */
export function environmentOf(settings, t) {
  return settings.map(({ name, source, key, isRequired }) => {
    if (source === 'fixed') return { name, value: key }
    if (source === 'peer')
      return { name, value: `${t.choose('tls.enabled', 'https', 'http')}://${t.name(key)}:${PORT}` }
    const optional = isRequired ? undefined : true
    if (source === 'secret') return { name, valueFrom: { secretKeyRef: { name: t.secrets, key, optional } } }
    return { name, valueFrom: { configMapKeyRef: { name: t.settings, key, optional } } }
  })
}

/**
 * The same for what answers over TLS if that is wished: with the certificate of a Secret that somebody keeps up to date. A pod
 * waits until there is all that it needs for it.
 */
export function servingTls(environment, t) {
  const serves = (yes, no) => t.choose('tls.enabled', yes, no)
  const keys = { TLS_CERTIFICATE: 'tls.crt', TLS_KEY: 'tls.key' }
  const from = (name, key) => ({ secretKeyRef: { name, key, optional: t.not('tls.enabled') } })
  const own = environment.map(({ name, ...rest }) => {
    if (name === 'TLS_CA') return { name, valueFrom: from(t.secrets, name) }
    if (!(name in keys)) return { name, ...rest }
    return { name, valueFrom: from(serves(t.certificate, t.secrets), serves(keys[name], name)) }
  })
  return [{ name: 'SERVE_TLS', value: t.text('tls.enabled') }, ...own]
}

/** The keys of the ConfigMap or the Secret, each once, with who reads them. */
export function keysOf(settingsByService, source) {
  const keys = new Map()
  for (const [service, settings] of Object.entries(settingsByService)) {
    for (const setting of settings.filter((each) => each.source === source)) {
      const known = keys.get(setting.key)
      if (known) known.services.push(service)
      else keys.set(setting.key, { ...setting, services: [service] })
    }
  }
  return [...keys.values()].sort((a, b) => a.key.localeCompare(b.key))
}
