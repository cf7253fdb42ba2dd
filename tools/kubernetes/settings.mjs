// The source of each setting of a service in a cluster.
import { components, PORT } from './components.mjs'

export const SETTINGS = 'tms-settings'
export const SECRETS = 'tms-secrets'

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
/** The images' defaults fit, DEVELOPMENT_LOGIN must be off in a cluster, and SERVE_TLS is set by addTlsVariables. */
const LEFT_OUT = new Set(['HOST', 'PORT', 'DEVELOPMENT_LOGIN', 'OTEL_SERVICE_NAME', 'SERVE_TLS'])
/** Required although the service has a default, which fits only a developer's machine. */
const REQUIRED_HERE = new Set(['EXTERNAL_HOST'])

export const SPOOL_DIR = '/spool'

/**
 * @typedef {object} Setting
 * @property {string} name
 * @property {'secret' | 'settings' | 'peer' | 'fixed'} source
 * @property {string} key in the Secret or the ConfigMap; the service's name for a peer; the value if fixed
 * @property {boolean} isRequired
 * @property {string} description
 * @property {unknown} fallback
 * @property {Record<string, unknown>} schema JSON schema of the parsed value
 */

/**
 * The settings of a service, in the order of their declaration.
 * @returns {Promise<Setting[]>}
 */
export async function readSettings(service) {
  const { configSchema } = await import(`../../services/${service}/dist/config.js`)
  return Object.entries(configSchema.shape)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, declared]) => {
      const isOptional = declared.safeParse(undefined).success
      return {
        name,
        ...findSource(name, service),
        isRequired: !isOptional || REQUIRED_HERE.has(name),
        description: declared.description ?? '',
        fallback: isOptional ? declared.parse(undefined) : undefined,
        schema: declared.toJSONSchema({ io: 'output', unrepresentable: 'any' }),
      }
    })
}

function findSource(name, service) {
  const key = PER_SERVICE.has(name) ? `${service.toUpperCase()}_${name}` : name
  if (SECRET_VARIABLES.has(name)) return { source: 'secret', key }
  const peer = /^([A-Z]+)_URL$/.exec(name)?.[1]?.toLowerCase()
  if (peer !== undefined && peer in components) return { source: 'peer', key: peer }
  if (name === 'UPLOADS_SPOOL_DIR') return { source: 'fixed', key: SPOOL_DIR }
  return { source: 'settings', key }
}

/** The environment variables of a container. */
export function createEnvironment(settings, target) {
  return settings.map(({ name, source, key, isRequired }) => {
    if (source === 'fixed') return { name, value: key }
    if (source === 'peer')
      return { name, value: `${target.choose('tls.enabled', 'https', 'http')}://${target.name(key)}:${PORT}` }
    const optional = isRequired ? undefined : true
    if (source === 'secret')
      return { name, valueFrom: { secretKeyRef: { name: target.secrets, key, optional } } }
    return { name, valueFrom: { configMapKeyRef: { name: target.settings, key, optional } } }
  })
}

/**
 * Adds the variables for serving over TLS, with the certificate from a Secret that cert-manager, for example, renews. A pod
 * doesn't start before the Secret exists.
 */
export function addTlsVariables(environment, target) {
  const serves = (yes, no) => target.choose('tls.enabled', yes, no)
  const keys = { TLS_CERTIFICATE: 'tls.crt', TLS_KEY: 'tls.key' }
  const from = (name, key) => ({ secretKeyRef: { name, key, optional: target.not('tls.enabled') } })
  const own = environment.map(({ name, ...rest }) => {
    if (name === 'TLS_CA') return { name, valueFrom: from(target.secrets, name) }
    if (!(name in keys)) return { name, ...rest }
    return { name, valueFrom: from(serves(target.certificate, target.secrets), serves(keys[name], name)) }
  })
  return [{ name: 'SERVE_TLS', value: target.text('tls.enabled') }, ...own]
}

/** The keys of the ConfigMap or the Secret, each once, with the services that read it. */
export function listKeys(settingsByService, source) {
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
