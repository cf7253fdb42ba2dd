// The values of the Helm chart: defaults, what they are for, and what they may be. kustomize's base takes the same defaults.
import { components, eventsTriggers, servers } from './components.mjs'
import { keysOf } from './settings.mjs'

const object = (extra = {}) => ({ type: 'object', ...extra })
const text = (extra = {}) => ({ type: 'string', ...extra })
const count = (minimum = 1) => ({ type: 'integer', minimum })
const flag = { type: 'boolean' }
/** Labels and annotations, which Kubernetes takes as text alone; a bare number it would refuse only after the migrations. */
const texts = object({ additionalProperties: text() })
/** Networks such as Cilium's don't count the cluster's own pods among addresses; these are chosen by their namespace, any. */
const anywhere = [
  { namespaceSelector: {} },
  { ipBlock: { cidr: '0.0.0.0/0' } },
  { ipBlock: { cidr: '::/0' } },
]
/** Anywhere but in private networks, those of the cluster among them. */
const theWorld = [
  {
    ipBlock: {
      cidr: '0.0.0.0/0',
      except: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
    },
  },
  { ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] } },
]
/** Addresses at which nodes answer for the cluster's DNS, which no selector of pods means. */
const DNS_OF_NODES = ['169.254.20.10/32', '169.254.169.254/32'].map((cidr) => ({ ipBlock: { cidr } }))
const peers = { type: 'array', minItems: 1, items: object() }
const ports = { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1, maximum: 65_535 } }
const namespace = (name) => [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } }]

/** What ingress-nginx needs to know; other controllers have names of their own for it. `limits` are those of the API. */
function nginxAnnotations({ longpollTimeoutSeconds, maxFileUploadMib }) {
  const patience = `${longpollTimeoutSeconds + 30}`
  return {
    'nginx.ingress.kubernetes.io/proxy-read-timeout': patience,
    'nginx.ingress.kubernetes.io/proxy-send-timeout': patience,
    'nginx.ingress.kubernetes.io/proxy-body-size': `${maxFileUploadMib + 1}m`,
    // Uploads and large states go through as they come.
    'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
    'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
  }
}

/**
 * Every value: path, default, comment, JSON schema.
 * @returns {{ path: string, value: unknown, comment: string, schema: Record<string, unknown> }[]}
 */
export function declareValues({ settingsByService, limits }) {
  const declared = []
  const add = (path, value, schema, comment = '') => declared.push({ path, value, schema, comment })
  const settings = keysOf(settingsByService, 'settings')
  const secrets = keysOf(settingsByService, 'secret')

  add(
    'image.registry',
    '',
    text(),
    'Where images are, as registry.example.com/team; each is called tms-<component>.',
  )
  add('image.tag', '', text(), 'Version of all images; the version of the chart if empty.')
  add('image.pullPolicy', 'IfNotPresent', { enum: ['Always', 'IfNotPresent', 'Never'] })
  add('image.pullSecrets', [], { type: 'array' }, 'As [{ name: registry-key }].')

  add(
    'settings',
    { EXTERNAL_SCHEME: 'https', TRUST_PROXY: 'true' },
    object({
      additionalProperties: false,
      required: settings.filter(({ isRequired }) => isRequired).map(({ key }) => key),
      properties: Object.fromEntries(
        settings.map(({ key, description, schema }) => [key, settingSchema(schema, description)]),
      ),
    }),
    'What services are told; settings.env beside kustomize’s base lists all there is. EXTERNAL_HOST, UPLOADS_URL and\nMAIL_FROM have to be given.',
  )
  add(
    'secrets.existing',
    '',
    text(),
    'Name of a Secret that there is already, with the keys listed under values.',
  )
  add(
    'secrets.values',
    {},
    object({
      additionalProperties: false,
      // None, or all that services can't do without.
      anyOf: [
        { maxProperties: 0 },
        { required: secrets.filter(({ isRequired }) => isRequired).map(({ key }) => key) },
      ],
      properties: Object.fromEntries(secrets.map(({ key, description }) => [key, text({ description })])),
    }),
    `Or the secrets themselves: the chart makes the Secret. Keys:\n${secrets
      .map(({ key, isRequired }) => `  ${key}${isRequired ? '' : ' (optional)'}`)
      .join('\n')}`,
  )
  add('secrets.external.enabled', false, flag, 'Or from a store, by the external secrets operator.')
  add('secrets.external.storeName', 'secrets', text())
  add('secrets.external.storeKind', 'ClusterSecretStore', { enum: ['SecretStore', 'ClusterSecretStore'] })
  add(
    'secrets.external.key',
    'team-messaging',
    text(),
    'Entry of the store; its properties are called like the keys.',
  )
  add('secrets.external.refreshInterval', '1h', text())

  add('ingress.enabled', true, flag)
  add('ingress.className', 'nginx', text())
  add(
    'ingress.tlsSecret',
    'tms-tls',
    text(),
    'Certificate for the host of EXTERNAL_HOST and all names below it.',
  )
  add(
    'ingress.annotations',
    nginxAnnotations(limits),
    texts,
    `Polls are held for up to ${limits.longpollTimeoutSeconds} s, files have up to ${limits.maxFileUploadMib} MiB. All are texts: numbers in\nquotes, on the command line by --set-string.`,
  )

  add(
    'tls.enabled',
    false,
    flag,
    'Services answer over TLS alone, each other, the ingress controller and Prometheus. Their authority has to be in TLS_CA\nof the secrets. It is not switched while the system runs: pods with and without it don’t reach each other.',
  )
  add(
    'tls.secret',
    'tms-services-tls',
    text(),
    'Secret with tls.crt, tls.key and ca.crt, as cert-manager makes it, for the names of all Services.',
  )

  add('autoscaling.enabled', false, flag, 'HorizontalPodAutoscalers instead of fixed numbers of replicas.')
  add(
    'keda.enabled',
    false,
    flag,
    'KEDA scales events, by log lag and live queues too; needs autoscaling.enabled.',
  )
  add('keda.prometheusAddress', 'http://prometheus-operated.monitoring:9090', text())
  add('keda.logLagEntries', eventsTriggers.logLagEntries, count(), 'A replica more for each of these.')
  add('keda.liveQueues', eventsTriggers.liveQueues, count())
  add(
    'migrations.deadlineSeconds',
    3600,
    count(60),
    'How long the migrations of a database may take; give helm a --timeout of as long.',
  )

  add('monitoring.enabled', false, flag, 'ServiceMonitors and alerts for the Prometheus operator.')

  add(
    'monitoring.labels',
    {},
    texts,
    'By which your Prometheus picks monitors and alerts, as { release: kube-prometheus-stack }.',
  )

  add('networkPolicies.enabled', true, flag, 'Lets through what the architecture needs and nothing else.')
  add(
    'networkPolicies.clients',
    namespace('ingress-nginx'),
    peers,
    'Who may reach the gateway: the ingress controller.',
  )
  add('networkPolicies.monitoring', namespace('monitoring'), peers, 'Who may collect metrics.')
  add(
    'networkPolicies.dns',
    [...namespace('kube-system'), ...DNS_OF_NODES],
    peers,
    "The cluster's DNS, and where a node answers itself: NodeLocal DNSCache, and GKE's Cloud DNS.",
  )
  const narrow =
    'Where servers are: in the cluster or anywhere else. Name their networks here, as [{ ipBlock: { cidr: 10.1.2.0/24 } }],\nor their namespaces, as [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: databases } } }].'
  const outside =
    'Not in private networks, unless it is named here: what lets messaging out to S3 lets webhooks out at the same ports.'
  for (const [index, server] of Object.keys(servers).entries()) {
    // Traces go to the cluster's own collector; the other servers may be anywhere.
    const where =
      { collector: namespace('monitoring'), s3: theWorld, webhooks: theWorld, bigbluebutton: theWorld }[
        server
      ] ?? anywhere
    const comment =
      {
        s3: outside,
        webhooks: 'Whom outgoing webhooks may call.',
        bigbluebutton: 'Where video calls are held, if not with Jitsi.',
      }[server] ?? ''
    add(`networkPolicies.${server}`, where, peers, index === 0 ? narrow : comment)
  }
  add(
    'networkPolicies.ports.dns',
    [53],
    ports,
    "As the pods listen: [5353] for OpenShift's, which are in the namespace openshift-dns.",
  )
  for (const [index, [server, { ports: usual }]] of Object.entries(servers).entries()) {
    const comment =
      index === 0
        ? 'At which ports servers are reached, as [6432] for PgBouncer, which has to pool sessions (docs/kubernetes.md).'
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
      name === 'gateway' ? 'As for a role of the cloud.' : '',
    )
  }
  return declared
}

/** The values as one tree. */
export function treeOf(declared) {
  const tree = {}
  for (const { path, value } of declared) setAt(tree, path, value)
  return tree
}

/** A copy of a tree with some values replaced, by path. */
export function withValues(tree, replaced) {
  const copy = structuredClone(tree)
  for (const [path, value] of Object.entries(replaced)) setAt(copy, path, value)
  return copy
}

/** What values may be, as JSON schema. */
export function schemaOf(declared) {
  const root = { type: 'object', additionalProperties: false, properties: {} }
  for (const { path, schema, comment } of declared) {
    const keys = path.split('.')
    const last = keys.pop()
    let node = root
    for (const key of keys) {
      node.properties[key] ??= { type: 'object', additionalProperties: false, properties: {} }
      node = node.properties[key]
    }
    node.properties[last] = { ...schema, ...(comment === '' ? {} : { description: comment.split('\n')[0] }) }
  }
  const isEnabled = (part, value) => ({
    properties: { [part]: { properties: { enabled: { const: value } } } },
  })
  root.anyOf = [isEnabled('keda', false), isEnabled('autoscaling', true)]
  // What Helm puts there itself.
  root.properties.global = { type: 'object' }
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...root }
}

/** What a setting may be in a file of values: as the service takes it, or as the text that it gets. */
function settingSchema({ type, enum: choices, minimum, maximum, pattern }, description) {
  const numeric = type === 'integer' || type === 'number'
  // Bounds that JSON has no numbers beyond say nothing.
  const isBound = (bound) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (choices) return { enum: choices, description }
  if (type === 'boolean') return { enum: [true, false, 'true', 'false'], description }
  return {
    type: numeric ? [type, 'string'] : ['string', 'integer'],
    ...(numeric && isBound(minimum) ? { minimum } : {}),
    ...(numeric && isBound(maximum) ? { maximum } : {}),
    // Helm's regular expressions know no lookaheads.
    ...(pattern !== undefined && !pattern.includes('(?') ? { pattern } : {}),
    description,
  }
}

function setAt(tree, path, value) {
  const keys = path.split('.')
  const last = keys.pop()
  let node = tree
  for (const key of keys) {
    node[key] ??= {}
    node = node[key]
  }
  node[last] = value
}
