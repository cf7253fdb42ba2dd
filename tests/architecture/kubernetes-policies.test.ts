import { FORCED_EXIT_MS } from '@tms/service-kit'
import { describe, expect, test } from 'vitest'
import { type KubernetesObject, renderChart, renderOverlay } from './support/kubernetes-renderings.ts'
import { read, services } from './support/repository.ts'

interface Environment {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: Readonly<Record<'secretKeyRef' | 'configMapKeyRef', Reference | undefined>>
}
interface Reference {
  readonly name: string
  readonly key: string
  readonly optional?: boolean
}
interface Container {
  readonly env?: readonly Environment[]
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } }
}
interface Probe {
  readonly httpGet: { readonly path: string }
  readonly timeoutSeconds: number
}
interface PodSpec {
  readonly containers: readonly Container[]
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly automountServiceAccountToken: boolean
  readonly terminationGracePeriodSeconds: number
}
interface Setting {
  parse(value: unknown): unknown
  safeParse(value: unknown): { success: boolean; error?: { issues: unknown[] } }
}
interface Schema extends Setting {
  readonly shape: Readonly<Record<string, Setting>>
}

const objects: readonly KubernetesObject[] = renderOverlay('production')
const small = renderOverlay('small')
const find = (kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name)
const podOf = ({ spec }: KubernetesObject) => (spec.template as { spec: PodSpec }).spec
const containerOf = (object: KubernetesObject) => podOf(object).containers[0] as Container
const workloads = objects.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
const settings = find('ConfigMap', objects.find(({ kind }) => kind === 'ConfigMap')?.metadata.name ?? '')
const schemaOf = async (service: string) => {
  const path = new URL(`../../services/${service}/dist/config.js`, import.meta.url).href
  const { configSchema } = (await import(path)) as { configSchema: Schema }
  return configSchema
}
const settingsOf = async (service: string) => (await schemaOf(service)).shape

/** The variables of a service's container, as far as they are set. */
function environmentOf(service: string, rendered: readonly KubernetesObject[]): Record<string, string> {
  const named = (kind: string, name: string | undefined) =>
    rendered.find((object) => object.kind === kind && object.metadata.name === name)?.data ?? {}
  const valueOf = ({ value, valueFrom }: Environment) => {
    const { secretKeyRef, configMapKeyRef } = valueFrom ?? {}
    if (configMapKeyRef) return named('ConfigMap', configMapKeyRef.name)[configMapKeyRef.key]
    const secret = named('Secret', secretKeyRef?.name)[secretKeyRef?.key ?? '']
    return secret === undefined ? value : Buffer.from(secret, 'base64').toString()
  }
  const deployment = rendered.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === service)
  const given = deployment ? (containerOf(deployment).env ?? []) : []
  const pairs = given.map((each) => [each.name, valueOf(each)] as const)
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

describe.each(workloads.map((object) => [`${object.kind} ${object.metadata.name}`, object] as const))(
  '%s',
  (_, object) => {
    test('runs without privileges, with a read-only file system and no access to the Kubernetes API', () => {
      expect(podOf(object)).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      })
      for (const container of podOf(object).containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    })

    test('requests and limits its resources', () => {
      const { requests, limits } = containerOf(object).resources
      expect([Object.keys(requests).sort(), Object.keys(limits).sort()]).toEqual([
        ['cpu', 'memory'],
        ['cpu', 'memory'],
      ])
    })
  },
)

describe.each(services)('%s', (service) => {
  const deployment = find('Deployment', service) as KubernetesObject
  const container = containerOf(deployment)

  test('has liveness and readiness probes on its own paths', () => {
    const { livenessProbe, readinessProbe, startupProbe } = container
    expect([livenessProbe, readinessProbe, startupProbe].map((probe) => probe?.httpGet.path)).toEqual([
      '/health/live',
      '/health/ready',
      '/health/live',
    ])
    // Detecting an unavailable server takes 2 s, and then the response has to arrive.
    expect(readinessProbe?.timeoutSeconds).toBeGreaterThan(2)
  })

  test('has time to finish after it no longer receives requests', () => {
    const pauseSeconds = Number(container.lifecycle?.preStop.exec.command[1])
    expect(podOf(deployment).terminationGracePeriodSeconds).toBeGreaterThan(
      FORCED_EXIT_MS / 1000 + pauseSeconds,
    )
  })

  test('receives every required setting, and no unknown one', async () => {
    const declared = await settingsOf(service)
    const given = container.env ?? []
    expect(given.map(({ name }) => name).filter((name) => !(name in declared))).toEqual([])
    const isSure = ({ value, valueFrom }: Environment) => {
      if (value !== undefined) return true
      const { configMapKeyRef, secretKeyRef } = valueFrom ?? {}
      const { key, optional } = configMapKeyRef ?? (secretKeyRef as Reference)
      if (optional) return false
      return secretKeyRef !== undefined || settings?.data?.[key] !== undefined
    }
    const sure = new Set(given.filter(isSure).map(({ name }) => name))
    const required = Object.keys(declared).filter((name) => !declared[name]?.safeParse(undefined).success)
    expect(required.filter((name) => !sure.has(name))).toEqual([])
  })

  test('starts with the settings of the small overlay and make-secrets.sh', async () => {
    const refused = (await schemaOf(service)).safeParse(environmentOf(service, small))
    expect(refused.error?.issues ?? []).toEqual([])
  })

  test('takes secrets from the Secret, and accepts every other setting except unsafe ones', async () => {
    const given = new Map((container.env ?? []).map((each) => [each.name, each]))
    // Authorities are not secret, but migrations need them before the settings exist.
    const secret =
      /^TLS_|^SIGN_ON$|_KEY$|_KEY_ID$|^(DATABASE|REDIS|RABBITMQ|MAIL)_URL$|PASSWORD$|SECRET|OTLP_HEADERS$|SERVICE_ACCOUNT$/
    const leftOut = ['HOST', 'PORT', 'DEVELOPMENT_LOGIN', 'OTEL_SERVICE_NAME']
    for (const name of Object.keys(await settingsOf(service))) {
      if (leftOut.includes(name)) expect(given.has(name)).toBe(false)
      else if (secret.test(name)) expect(given.get(name)?.valueFrom?.secretKeyRef).toBeDefined()
      else expect([name, given.get(name)?.valueFrom?.secretKeyRef]).toEqual([name, undefined])
    }
    expect(Object.keys(settings?.data ?? {}).filter((name) => secret.test(name))).toEqual([])
  })

  test('is spread over nodes, has a disruption budget, and scales', () => {
    const { topologySpreadConstraints } = podOf(deployment) as unknown as Record<string, unknown[]>
    expect(topologySpreadConstraints).toHaveLength(2)
    expect(find('PodDisruptionBudget', service)?.spec).toMatchObject({
      maxUnavailable: 1,
      // While a server that all replicas need is down, none is ready, and nodes must be drained nevertheless.
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    })
    expect(find('HorizontalPodAutoscaler', service)?.spec.scaleTargetRef).toMatchObject({ name: service })
    expect(deployment.spec.replicas).toBeUndefined()
  })
})

test('docs/kubernetes.md states the number of PostgreSQL connections at the maximum of replicas', async () => {
  const pools: { service: string; most: number; size: number }[] = []
  for (const service of ['messaging', 'users', 'realm']) {
    const most = Number(find('HorizontalPodAutoscaler', service)?.spec.maxReplicas)
    const { DATABASE_POOL_MAX: pool } = await settingsOf(service)
    pools.push({ service, most, size: Number(pool?.parse(undefined)) })
  }
  const total = pools.reduce((sum, { most, size }) => sum + most * size, 0)
  const parts = pools.map(({ service, most, size }) => `${service} ${most} × ${size}`).join(', ')
  expect(read('docs/kubernetes.md')).toContain(`come to ${total} (${parts})`)
})

describe('network policies', () => {
  interface Peer {
    readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> }
    readonly namespaceSelector?: unknown
    readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] }
  }
  interface Rule {
    readonly to?: readonly Peer[]
    readonly from?: readonly Peer[]
    readonly ports: readonly { readonly port: number }[]
  }
  /** By the port that a policy opens to addresses. */
  const SERVERS: Readonly<Record<number, string>> = {
    80: 'webhooks',
    389: 'ldap',
    443: 's3',
    465: 'smtp',
    587: 'smtp',
    636: 'ldap',
    4318: 'traces',
    5432: 'postgresql',
    5671: 'rabbitmq',
    5672: 'rabbitmq',
    6379: 'redis',
  }
  const rulesOf = (name: string, direction: 'ingress' | 'egress') =>
    (find('NetworkPolicy', name)?.spec[direction] ?? []) as Rule[]
  const podsOf = (peers: readonly Peer[] = []) =>
    peers.flatMap(({ podSelector }) => podSelector?.matchLabels['app.kubernetes.io/name'] ?? [])
  const calls = (name: string) => rulesOf(name, 'egress').flatMap(({ to }) => podsOf(to))
  const serversOf = (name: string) => [
    ...new Set(
      rulesOf(name, 'egress')
        .filter(({ to }) => podsOf(to).length === 0)
        .flatMap(({ ports }) => ports.map(({ port }) => SERVERS[port])),
    ),
  ]

  test('deny all traffic that no policy allows', () => {
    expect(find('NetworkPolicy', 'closed')?.spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'team-messaging-service' } },
      policyTypes: ['Ingress', 'Egress'],
    })
  })

  // The picture in README.md shows the paths of clients and events; services also call each other, and store files.
  test.each([
    ['gateway', ['users', 'realm', 'messaging', 'events'], ['redis', 'traces']],
    ['messaging', ['users', 'realm'], ['postgresql', 'redis', 'rabbitmq', 's3', 'webhooks', 'traces']],
    [
      'users',
      ['realm', 'messaging'],
      ['postgresql', 'redis', 'rabbitmq', 's3', 'smtp', 'ldap', 'webhooks', 'traces'],
    ],
    ['realm', ['users', 'messaging'], ['postgresql', 'redis', 'rabbitmq', 's3', 'traces']],
    ['events', ['users', 'realm', 'messaging'], ['redis', 'rabbitmq', 'traces']],
  ])('allow %s to call only %j and %j', async (service, called, servers) => {
    expect(calls(service).sort()).toEqual([...called].sort())
    expect(serversOf(service).sort()).toEqual([...servers].sort())
    const declared = Object.keys(await settingsOf(service))
    const peers = services.filter((each) => declared.includes(`${each.toUpperCase()}_URL`))
    expect([...peers].sort()).toEqual([...called].sort())
  })

  test('match the arrows of the picture in README.md', () => {
    const picture = /```mermaid\n([\s\S]*?)```/.exec(read('README.md'))?.[1] ?? ''
    const arrows = [...picture.matchAll(/^ *([\w &]+?) -->(?:\|[^|]*\|)? (.+)$/gm)].flatMap(([, from, to]) =>
      `${from}`.split(' & ').flatMap((left) => `${to}`.split(' & ').map((right) => [left, right] as const)),
    )
    const NAMES: Readonly<Record<string, string>> = { log: 'rabbitmq', redis: 'redis' }
    const named = (end: string) => {
      const id = end.replace(/\[.*$/, '').trim()
      return id.startsWith('pg') ? 'postgresql' : (NAMES[id] ?? id)
    }
    const missing = arrows
      .filter(([from]) => from !== 'client')
      // Readers and writers of the log both open connections to it.
      .map(([from, to]) => (named(from) === 'rabbitmq' ? [named(to), 'rabbitmq'] : [named(from), named(to)]))
      .filter(([from, to]) => ![...calls(`${from}`), ...serversOf(`${from}`)].includes(`${to}`))
    expect(arrows.length).toBeGreaterThan(10)
    expect(missing).toEqual([])
  })

  test.each(services)(
    'allow into %s only its callers, Prometheus, and a mail server with replies',
    (service) => {
      const callers = services.filter((each) => calls(each).includes(service))
      const rules = rulesOf(service, 'ingress')
      expect(rules.flatMap(({ from }) => podsOf(from)).sort()).toEqual([...callers].sort())
      const atPort = (port: number) =>
        rules.filter(({ ports }) => ports.length === 1 && ports[0]?.port === port)
      expect(atPort(8080)).toHaveLength(2)
      expect(atPort(2525).flatMap(({ from }) => from)).toEqual(
        service === 'users'
          ? [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'mail' } } }]
          : [],
      )
      expect(rules).toHaveLength(service === 'users' ? 3 : 2)
    },
  )

  const peersAt = (name: string, port: number) =>
    rulesOf(name, 'egress')
      .filter(({ ports }) => ports.some((each) => each.port === port))
      .flatMap(({ to }) => to ?? [])

  // Cilium treats an address as outside of the cluster.
  test.each([
    ['messaging', 5432],
    ['migrations', 5432],
    ['gateway', 6379],
    ['events', 5672],
    ['users', 587],
  ])('allow %s to reach a server at %i inside and outside the cluster', (name, port) => {
    expect(peersAt(name, port)).toEqual([
      { namespaceSelector: {} },
      { ipBlock: { cidr: '0.0.0.0/0' } },
      { ipBlock: { cidr: '::/0' } },
    ])
  })

  test('keep messaging out of private networks at the ports of webhooks, even if other rules use those ports', () => {
    const webhooks = peersAt('messaging', 80)
    expect(webhooks.map(({ ipBlock }) => ipBlock)).toEqual([
      { cidr: '0.0.0.0/0', except: expect.arrayContaining(['10.0.0.0/8', '192.168.0.0/16']) },
      { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] },
    ])
    expect(peersAt('messaging', 443)).toEqual([...webhooks, ...webhooks])
  })

  test('allow migrations to reach only PostgreSQL', () => {
    expect(serversOf('migrations')).toEqual(['postgresql'])
    expect(rulesOf('migrations', 'ingress')).toEqual([])
  })
})

describe('ingress', () => {
  interface Path {
    readonly path: string
    readonly pathType: string
  }
  const ingress = find('Ingress', 'gateway') as KubernetesObject
  const [rule] = ingress.spec.rules as { http: { paths: Path[] } }[]

  test('waits for pending polls and accepts files up to the limit of the API', () => {
    const annotations = ingress.metadata.annotations ?? {}
    expect(Number(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout'])).toBeGreaterThan(90)
    expect(annotations['nginx.ingress.kubernetes.io/proxy-body-size']).toBe('26m')
  })

  test('routes to the paths that clients may call, not to metrics and health', () => {
    const paths = rule?.http.paths ?? []
    expect(paths).toContainEqual(expect.objectContaining({ path: '/api', pathType: 'Prefix' }))
    expect(paths.filter(({ path, pathType }) => path === '/' && pathType !== 'Exact')).toEqual([])
    expect(paths.filter(({ path }) => /metrics|health/.test(path))).toEqual([])
  })

  test('serves the host name that clients use and the subdomains of organizations', () => {
    const chart = renderChart('production', ['settings.EXTERNAL_HOST="team.example.org"'])
    const rules = chart.find(({ kind }) => kind === 'Ingress')?.spec.rules as { host: string }[]
    expect(rules.map(({ host }) => host)).toEqual(['team.example.org', '*.team.example.org'])
  })
})
