// The values of the Helm chart: defaults, descriptions and schemas. kustomize's base uses the same defaults.
import { components, eventsTriggers, servers } from './components.ts'
import { listKeys, type SettingsByService, type ValueSchema } from './settings.ts'

/** A value of the chart. */
export interface DeclaredValue {
  path: string
  value: unknown
  comment: string
  schema: object
}

interface Sources {
  settingsByService: SettingsByService
  /** Of the API. */
  limits: { longpollTimeoutSeconds: number; maxFileUploadMib: number }
}

const object = (extra = {}) => ({ type: 'object', ...extra })
const text = (extra = {}) => ({ type: 'string', ...extra })
const count = (minimum = 1) => ({ type: 'integer', minimum })
const flag = { type: 'boolean' }
/** Labels and annotations: Kubernetes accepts only strings, and would reject a number only after the migrations. */
const texts = object({ additionalProperties: text() })
/** Anywhere. Some networks, such as Cilium, don't match pods by IP blocks, so their namespaces are selected too. */
const anywhere = [
  { namespaceSelector: {} },
  { ipBlock: { cidr: '0.0.0.0/0' } },
  { ipBlock: { cidr: '::/0' } },
]
/** Everything outside private networks, which include the cluster's own. */
const publicInternet = [
  {
    ipBlock: {
      cidr: '0.0.0.0/0',
      except: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
    },
  },
  { ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] } },
]
/** Addresses of DNS on the nodes themselves, which no pod selector matches. */
const DNS_OF_NODES = ['169.254.20.10/32', '169.254.169.254/32'].map((cidr) => ({ ipBlock: { cidr } }))
const peers = { type: 'array', minItems: 1, items: object() }
const ports = { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1, maximum: 65_535 } }
const namespace = (name: string) => [
  { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
]

/** Annotations for ingress-nginx; other controllers need others. */
function nginxAnnotations({ longpollTimeoutSeconds, maxFileUploadMib }: Sources['limits']) {
  const timeoutSeconds = `${longpollTimeoutSeconds + 30}`
  return {
    'nginx.ingress.kubernetes.io/proxy-read-timeout': timeoutSeconds,
    'nginx.ingress.kubernetes.io/proxy-send-timeout': timeoutSeconds,
    'nginx.ingress.kubernetes.io/proxy-body-size': `${maxFileUploadMib + 1}m`,
    // Uploads and large states are streamed.
    'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
    'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
  }
}

/** Settings that the chart and kustomize's base set. */
export const DEFAULT_SETTINGS = { EXTERNAL_SCHEME: 'https', TRUST_PROXY: 'true' }

/** Every value: path, default, comment, JSON schema. */
export function declareValues({ settingsByService, limits }: Sources): DeclaredValue[] {
  const declared: DeclaredValue[] = []
  const add = (path: string, value: unknown, schema: object, comment = '') =>
    declared.push({ path, value, schema, comment })
  const settings = listKeys(settingsByService, 'setting')
  const secrets = listKeys(settingsByService, 'secret')

  add(
    'image.registry',
    '',
    text(),
    'Registry of the images, such as registry.example.com/team; each image is named tms-<component>.',
  )
  add('image.tag', '', text(), 'Tag of all images; the version of the chart if empty.')
  add('image.pullPolicy', 'IfNotPresent', { enum: ['Always', 'IfNotPresent', 'Never'] })
  add('image.pullSecrets', [], { type: 'array' }, 'For example [{ name: registry-key }].')

  add(
    'settings',
    DEFAULT_SETTINGS,
    object({
      additionalProperties: false,
      required: settings.filter(({ isRequired }) => isRequired).map(({ key }) => key),
      properties: Object.fromEntries(
        settings.map(({ key, description, schema }) => [key, settingSchema(schema, description)]),
      ),
    }),
    'Settings of the services; settings.env of kustomize’s base lists all.\nRequired: EXTERNAL_HOST, UPLOADS_URL and MAIL_FROM.',
  )
  add('secrets.existing', '', text(), 'Name of an existing Secret, with the keys listed under values.')
  add(
    'secrets.values',
    {},
    object({
      additionalProperties: false,
      // None, or all required keys.
      anyOf: [
        { maxProperties: 0 },
        { required: secrets.filter(({ isRequired }) => isRequired).map(({ key }) => key) },
      ],
      properties: Object.fromEntries(secrets.map(({ key, description }) => [key, text({ description })])),
    }),
    `Or the secrets themselves, from which the chart creates the Secret. Keys:\n${secrets
      .map(({ key, isRequired }) => `  ${key}${isRequired ? '' : ' (optional)'}`)
      .join('\n')}`,
  )
  add('secrets.external.enabled', false, flag, 'Or fetched from a store by the external secrets operator.')
  add('secrets.external.storeName', 'secrets', text())
  add('secrets.external.storeKind', 'ClusterSecretStore', { enum: ['SecretStore', 'ClusterSecretStore'] })
  add(
    'secrets.external.key',
    'team-messaging',
    text(),
    'Entry of the store; its properties are named like the keys.',
  )
  add('secrets.external.refreshInterval', '1h', text())

  add('ingress.enabled', true, flag)
  add('ingress.className', 'nginx', text())
  add(
    'ingress.tlsSecret',
    'tms-tls',
    text(),
    'Secret with the certificate for EXTERNAL_HOST and all of its subdomains.',
  )
  add(
    'ingress.annotations',
    nginxAnnotations(limits),
    texts,
    `Long polls take up to ${limits.longpollTimeoutSeconds} s, files have up to ${limits.maxFileUploadMib} MiB.\nValues are strings: quote numbers, and use --set-string on the command line.`,
  )

  add(
    'tls.enabled',
    false,
    flag,
    'Services serve only over TLS, also to each other, the ingress controller and Prometheus.\nTLS_CA of the secrets must have their authority. Do not change it while the system runs: pods with and without TLS can\nnot reach each other.',
  )
  add(
    'tls.secret',
    'tms-services-tls',
    text(),
    'Secret with tls.crt, tls.key and ca.crt for the names of all Services, as cert-manager creates it.',
  )

  add('autoscaling.enabled', false, flag, 'HorizontalPodAutoscalers instead of fixed numbers of replicas.')
  add(
    'keda.enabled',
    false,
    flag,
    'KEDA scales events by log lag and live queues too; requires autoscaling.enabled.',
  )
  add('keda.prometheusAddress', 'http://prometheus-operated.monitoring:9090', text())
  add('keda.logLagEntries', eventsTriggers.logLagEntries, count(), 'One more replica for each such amount.')
  add('keda.liveQueues', eventsTriggers.liveQueues, count())
  add(
    'migrations.deadlineSeconds',
    3600,
    count(60),
    'Time limit of the migrations of a database; pass helm a --timeout of at least as long.',
  )

  add('monitoring.enabled', false, flag, 'ServiceMonitors and alerts for the Prometheus operator.')

  add(
    'monitoring.labels',
    {},
    texts,
    'Labels by which your Prometheus selects monitors and alerts, such as { release: kube-prometheus-stack }.',
  )

  add('networkPolicies.enabled', true, flag, 'Allows only the connections that the services need.')
  add(
    'networkPolicies.clients',
    namespace('ingress-nginx'),
    peers,
    'Sources that may connect to the gateway: the ingress controller.',
  )
  add('networkPolicies.monitoring', namespace('monitoring'), peers, 'Sources that may collect metrics.')
  add(
    'networkPolicies.dns',
    [...namespace('kube-system'), ...DNS_OF_NODES],
    peers,
    "The cluster's DNS, and DNS on the nodes: NodeLocal DNSCache and GKE's Cloud DNS.",
  )
  const narrow =
    'Networks of the servers; anywhere by default.\nRestrict them, as [{ ipBlock: { cidr: 10.1.2.0/24 } }], or by namespace, as\n[{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: databases } } }].'
  const outside =
    'Outside private networks unless listed here: a rule that lets messaging reach S3 lets webhooks out at the same ports.'
  for (const [index, server] of Object.keys(servers).entries()) {
    // The trace collector is in the cluster; the other servers may be anywhere.
    const where =
      {
        collector: namespace('monitoring'),
        s3: publicInternet,
        webhooks: publicInternet,
        bigbluebutton: publicInternet,
      }[server] ?? anywhere
    const comment =
      {
        s3: outside,
        webhooks: 'Destinations of outgoing webhooks.',
        bigbluebutton: 'The BigBlueButton server for video calls; not needed for Jitsi.',
      }[server] ?? ''
    add(`networkPolicies.${server}`, where, peers, index === 0 ? narrow : comment)
  }
  add(
    'networkPolicies.ports.dns',
    [53],
    ports,
    'Ports of the DNS pods: [5353] for OpenShift, whose pods are in the namespace openshift-dns.',
  )
  for (const [index, [server, { ports: usual }]] of Object.entries(servers).entries()) {
    const comment =
      index === 0
        ? 'Ports of the servers, such as [6432] for PgBouncer, which has to pool sessions (docs/kubernetes.md).'
        : ''
    add(`networkPolicies.ports.${server}`, usual, ports, comment)
  }

  add('nodeSelector', {}, texts, 'For all pods.')
  add('tolerations', [], { type: 'array' })
  add('priorityClassName', '', text())

  for (const [name, { requests, limits: most, autoscaling }] of Object.entries(components)) {
    add(`${name}.replicas`, 2, count(), 'Without autoscaling.')
    add(`${name}.resources`, { requests, limits: most }, object({ required: ['requests', 'limits'] }))
    add(`${name}.autoscaling.minReplicas`, autoscaling.minReplicas, count())
    add(`${name}.autoscaling.maxReplicas`, autoscaling.maxReplicas, count())
    add(`${name}.autoscaling.targetCPU`, autoscaling.targetCPU, count(), '% of the requested CPU.')
    add(
      `${name}.serviceAccountAnnotations`,
      {},
      texts,
      name === 'gateway' ? 'For example for a role of the cloud provider.' : '',
    )
  }
  return declared
}

/** The JSON schema of the values. */
export function toJsonSchema(declared: readonly DeclaredValue[]): object {
  const leaves = declared.map(({ path, schema, comment }): Leaf => {
    const description = comment.split('\n')[0]
    return { keys: path.split('.'), schema: { ...schema, ...(description === '' ? {} : { description }) } }
  })
  const isEnabled = (part: string, value: boolean) => ({
    properties: { [part]: { properties: { enabled: { const: value } } } },
  })
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    // Helm adds `global` itself.
    ...toTree([...leaves, { keys: ['global'], schema: { type: 'object' } }]),
    anyOf: [isEnabled('keda', false), isEnabled('autoscaling', true)],
  }
}

interface Leaf {
  keys: string[]
  schema: object
}

function toTree(leaves: readonly Leaf[]): object {
  const byKey = Map.groupBy(leaves, ({ keys: [first = ''] }) => first)
  const properties = [...byKey].map(([key, group]) => {
    const [only] = group
    return [
      key,
      only?.keys.length === 1
        ? only.schema
        : toTree(group.map(({ keys, schema }) => ({ keys: keys.slice(1), schema }))),
    ]
  })
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) }
}

/** The schema of a setting in a file of values: its type, or the text of an environment variable. */
function settingSchema(schema: ValueSchema, description: string): object {
  const { type, enum: choices, minimum, maximum, pattern } = schema
  const numeric = type === 'integer' || type === 'number'
  // Bounds beyond the safe integers are no real limits.
  const isBound = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (choices) return { enum: choices, description }
  if (type === 'boolean') return { enum: [true, false, 'true', 'false'], description }
  return {
    type: numeric ? [type, 'string'] : ['string', 'integer'],
    ...(numeric && isBound(minimum) ? { minimum } : {}),
    ...(numeric && isBound(maximum) ? { maximum } : {}),
    // Helm's regular expressions support no lookaheads.
    ...(pattern !== undefined && !pattern.includes('(?') ? { pattern } : {}),
    description,
  }
}
