// Network policies, which allow only the connections of the architecture, and the Ingress for clients.
import { PORT, servers } from './components.mjs'
import { CHART, labelsOf, selectorOf } from './targets.mjs'

/** The services and servers that a component connects to, from its settings. */
export function listConnections(settings) {
  const names = new Set(settings.map(({ name }) => name))
  return {
    services: settings.filter(({ source }) => source === 'peer').map(({ key }) => key),
    servers: Object.keys(servers).filter((server) => names.has(servers[server].setting)),
  }
}

/** A policy that denies everything, and for each component one that allows its connections. */
export function networkPolicies(settingsByService, target) {
  const connections = Object.fromEntries(
    Object.entries(settingsByService).map(([name, settings]) => [name, listConnections(settings)]),
  )
  const all = { 'app.kubernetes.io/part-of': CHART, ...target.instance }
  const closed = policy(target, 'closed', { matchLabels: all }, { policyTypes: ['Ingress', 'Egress'] })
  const dns = policy(target, 'dns', { matchLabels: all }, { policyTypes: ['Egress'], egress: toDns(target) })
  const open = Object.keys(connections).map((name) => policyOf(name, connections, target))
  const migrations = policy(target, 'migrations', migrationsOf(target), {
    policyTypes: ['Egress'],
    egress: [toServer('postgresql', target)],
  })
  return [closed, dns, ...open, migrations]
}

/**
 * The policy for migrations, which Helm runs before it applies the other policies: none exist yet, or those of the release
 * before, which may not allow the current database. Deleted after the migrations, so that nothing remains when policies are
 * turned off or the release is removed.
 */
export function migrationHookPolicy(target) {
  const { apiVersion, kind, metadata, spec } = policy(target, 'migrate', migrationsOf(target), {
    policyTypes: ['Ingress', 'Egress'],
    egress: [...toDns(target), toServer('postgresql', target)],
  })
  const annotations = target.hook({
    'helm.sh/hook': 'pre-install,pre-upgrade',
    'helm.sh/hook-weight': '-5',
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  })
  return { apiVersion, kind, metadata: { ...metadata, annotations }, spec }
}

const migrationsOf = (target) => ({
  matchLabels: { 'app.kubernetes.io/part-of': CHART, ...target.instance },
  matchExpressions: [{ key: 'tms-migration', operator: 'Exists' }],
})

function policyOf(name, connections, target) {
  const callers = Object.keys(connections).filter((caller) => connections[caller].services.includes(name))
  const ports = [{ protocol: 'TCP', port: PORT }]
  const pods = (names) => names.map((each) => ({ podSelector: { matchLabels: selectorOf(target, each) } }))
  const ingress = [
    callers.length > 0
      ? { from: pods(callers), ports }
      : { from: target.value('networkPolicies.clients'), ports },
    { from: target.value('networkPolicies.monitoring'), ports },
  ]
  const { services, servers: used } = connections[name]
  const egress = [
    ...(services.length > 0 ? [{ to: pods(services), ports }] : []),
    ...used.map((server) => toServer(server, target)),
  ]
  return policy(
    target,
    name,
    { matchLabels: selectorOf(target, name) },
    { policyTypes: ['Ingress', 'Egress'], ingress, egress },
  )
}

const toDns = (target) =>
  ['UDP', 'TCP'].map((protocol) => ({
    to: target.value('networkPolicies.dns'),
    ports: target.ports('networkPolicies.ports.dns', protocol),
  }))

const toServer = (server, target) => ({
  to: target.value(`networkPolicies.${server}`),
  ports: target.ports(`networkPolicies.ports.${server}`),
})

const policy = (target, name, podSelector, spec) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: target.name(name), labels: labelsOf(target, name, 'prepare') },
  spec: { podSelector, ...spec },
})

/** Paths for clients: endpoints and pages, but not /metrics and /health of the gateway. */
export function publicPaths(endpoints) {
  const roots = endpoints.filter(({ prefix }) => prefix === '').map(({ path }) => path.split('/')[1])
  return [
    { path: '/', pathType: 'Exact' },
    ...['api', ...new Set(roots)]
      .toSorted((a, b) => a.localeCompare(b))
      .map((root) => ({ path: `/${root}`, pathType: 'Prefix' })),
  ]
}

/** The Ingress for the host of the default organization and the subdomains of the others. */
export function createIngress(paths, hosts, target) {
  const backend = { service: { name: target.name('gateway'), port: { name: 'http' } } }
  const http = { paths: paths.map((path) => ({ ...path, backend })) }
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: target.name('gateway'),
      labels: labelsOf(target, 'gateway'),
      annotations: {
        'nginx.ingress.kubernetes.io/backend-protocol': target.when('tls.enabled', 'HTTPS'),
        ...target.entries('ingress.annotations'),
      },
    },
    spec: {
      ingressClassName: target.value('ingress.className'),
      tls: [{ hosts, secretName: target.value('ingress.tlsSecret') }],
      rules: hosts.map((host) => ({ host, http })),
    },
  }
}
