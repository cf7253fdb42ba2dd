// Who may talk to whom: the arrows of the architecture, and nothing else; and how clients come in.
import { PORT, servers } from './components.mjs'
import { CHART, labelsOf, selectorOf } from './targets.mjs'

/** Who a component calls: the services that its settings name, and the servers. */
export function arrowsOf(settings) {
  const names = new Set(settings.map(({ name }) => name))
  return {
    services: settings.filter(({ source }) => source === 'peer').map(({ key }) => key),
    servers: Object.keys(servers).filter((server) => names.has(servers[server].setting)),
  }
}

/** A policy that shuts everything, and for each component one that opens its arrows. */
export function networkPolicies(settingsByService, t) {
  const arrows = Object.fromEntries(
    Object.entries(settingsByService).map(([name, settings]) => [name, arrowsOf(settings)]),
  )
  const all = { 'app.kubernetes.io/part-of': CHART, ...t.instance }
  const closed = policy(t, 'closed', { matchLabels: all }, { policyTypes: ['Ingress', 'Egress'] })
  const dns = policy(t, 'dns', { matchLabels: all }, { policyTypes: ['Egress'], egress: toDns(t) })
  const open = Object.keys(arrows).map((name) => policyOf(name, arrows, t))
  const migrations = policy(t, 'migrations', migrationsOf(t), {
    policyTypes: ['Egress'],
    egress: [toServer('postgresql', t)],
  })
  return [closed, dns, ...open, migrations]
}

/**
 * What migrations need that Helm runs before it brings the other policies: those that are there then are none, or of the
 * release before, by which a database that has moved can't be reached. Gone again when the migrations are through, so that
 * nothing of it is left when policies are turned off or the release is removed.
 */
export function policyOfHooks(t) {
  const { apiVersion, kind, metadata, spec } = policy(t, 'migrate', migrationsOf(t), {
    policyTypes: ['Ingress', 'Egress'],
    egress: [...toDns(t), toServer('postgresql', t)],
  })
  const annotations = t.hook({
    'helm.sh/hook': 'pre-install,pre-upgrade',
    'helm.sh/hook-weight': '-5',
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  })
  return { apiVersion, kind, metadata: { ...metadata, annotations }, spec }
}

const migrationsOf = (t) => ({
  matchLabels: { 'app.kubernetes.io/part-of': CHART, ...t.instance },
  matchExpressions: [{ key: 'tms-migration', operator: 'Exists' }],
})

function policyOf(name, arrows, t) {
  const callers = Object.keys(arrows).filter((caller) => arrows[caller].services.includes(name))
  const ports = [{ protocol: 'TCP', port: PORT }]
  const pods = (names) => names.map((each) => ({ podSelector: { matchLabels: selectorOf(t, each) } }))
  const ingress = [
    callers.length > 0 ? { from: pods(callers), ports } : { from: t.value('networkPolicies.clients'), ports },
    { from: t.value('networkPolicies.monitoring'), ports },
  ]
  const { services, servers: used } = arrows[name]
  const egress = [
    ...(services.length > 0 ? [{ to: pods(services), ports }] : []),
    ...used.map((server) => toServer(server, t)),
  ]
  return policy(
    t,
    name,
    { matchLabels: selectorOf(t, name) },
    { policyTypes: ['Ingress', 'Egress'], ingress, egress },
  )
}

const toDns = (t) =>
  ['UDP', 'TCP'].map((protocol) => ({
    to: t.value('networkPolicies.dns'),
    ports: t.ports('networkPolicies.ports.dns', protocol),
  }))

const toServer = (server, t) => ({
  to: t.value(`networkPolicies.${server}`),
  ports: t.ports(`networkPolicies.ports.${server}`),
})

const policy = (t, name, podSelector, spec) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: t.name(name), labels: labelsOf(t, name, 'prepare') },
  spec: { podSelector, ...spec },
})

/** Paths that clients may ask for: those of endpoints and pages; not /metrics and /health, which the gateway has too. */
export function publicPaths(endpoints) {
  const roots = endpoints.filter(({ prefix }) => prefix === '').map(({ path }) => path.split('/')[1])
  return [
    { path: '/', pathType: 'Exact' },
    ...['api', ...new Set(roots)]
      .toSorted((a, b) => a.localeCompare(b))
      .map((root) => ({ path: `/${root}`, pathType: 'Prefix' })),
  ]
}

/** The way in, for the default organization's host and those of the others below it. */
export function ingressOf(paths, hosts, t) {
  const backend = { service: { name: t.name('gateway'), port: { name: 'http' } } }
  const http = { paths: paths.map((path) => ({ ...path, backend })) }
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: t.name('gateway'),
      labels: labelsOf(t, 'gateway'),
      annotations: {
        'nginx.ingress.kubernetes.io/backend-protocol': t.when('tls.enabled', 'HTTPS'),
        ...t.entries('ingress.annotations'),
      },
    },
    spec: {
      ingressClassName: t.value('ingress.className'),
      tls: [{ hosts, secretName: t.value('ingress.tlsSecret') }],
      rules: hosts.map((host) => ({ host, http })),
    },
  }
}
