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

/** The variables that a container of a service would have, as far as they are there. */
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
    test('runs as nobody special, can write nowhere and asks Kubernetes for nothing', () => {
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

    test('requests what it needs, and is limited', () => {
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

  test('is asked on its own paths whether it lives and whether it is ready', () => {
    const { livenessProbe, readinessProbe, startupProbe } = container
    expect([livenessProbe, readinessProbe, startupProbe].map((probe) => probe?.httpGet.path)).toEqual([
      '/health/live',
      '/health/ready',
      '/health/live',
    ])
    // A server that is away takes 2 s to be found out, and then the answer has to come.
    expect(readinessProbe?.timeoutSeconds).toBeGreaterThan(2)
  })

  test('has time to end by itself after it is not sent to any more', () => {
    const pauseSeconds = Number(container.lifecycle?.preStop.exec.command[1])
    expect(podOf(deployment).terminationGracePeriodSeconds).toBeGreaterThan(
      FORCED_EXIT_MS / 1000 + pauseSeconds,
    )
  })

  test('is given every setting that it requires, and none that it has not', async () => {
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

  test('starts with what the small overlay and make-secrets.sh give it', async () => {
    const refused = (await schemaOf(service)).safeParse(environmentOf(service, small))
    expect(refused.error?.issues ?? []).toEqual([])
  })

  test('has what is secret from the Secret, and can be told everything else but how to be unsafe', async () => {
    const given = new Map((container.env ?? []).map((each) => [each.name, each]))
    // Authorities are no secret, but migrations need them before the settings are there.
    const secret = /^TLS_|_KEY$|_KEY_ID$|^(DATABASE|REDIS|RABBITMQ|MAIL)_URL$|PASSWORD$|SECRET|OTLP_HEADERS$/
    const leftOut = ['HOST', 'PORT', 'DEVELOPMENT_LOGIN', 'OTEL_SERVICE_NAME']
    for (const name of Object.keys(await settingsOf(service))) {
      if (leftOut.includes(name)) expect(given.has(name)).toBe(false)
      else if (secret.test(name)) expect(given.get(name)?.valueFrom?.secretKeyRef).toBeDefined()
      else expect([name, given.get(name)?.valueFrom?.secretKeyRef]).toEqual([name, undefined])
    }
    expect(Object.keys(settings?.data ?? {}).filter((name) => secret.test(name))).toEqual([])
  })

  test('is spread, kept from being emptied at once, and scaled', () => {
    const { topologySpreadConstraints } = podOf(deployment) as unknown as Record<string, unknown[]>
    expect(topologySpreadConstraints).toHaveLength(2)
    expect(find('PodDisruptionBudget', service)?.spec).toMatchObject({
      maxUnavailable: 1,
      // While a server is away that all replicas need, none is ready, and nodes are emptied all the same.
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    })
    expect(find('HorizontalPodAutoscaler', service)?.spec.scaleTargetRef).toMatchObject({ name: service })
    expect(deployment.spec.replicas).toBeUndefined()
  })
})

test('docs/kubernetes.md says how many connections to PostgreSQL the most replicas take', async () => {
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
  /** By the port that a policy lets through to addresses. */
  const SERVERS: Readonly<Record<number, string>> = {
    80: 'webhooks',
    443: 's3',
    465: 'smtp',
    587: 'smtp',
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

  test('shut everything that none opens', () => {
    expect(find('NetworkPolicy', 'closed')?.spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'team-messaging-service' } },
      policyTypes: ['Ingress', 'Egress'],
    })
  })

  // The picture in README.md has the ways of clients and events; services also ask each other, and keep files.
  test.each([
    ['gateway', ['users', 'realm', 'messaging', 'events'], ['redis', 'traces']],
    ['messaging', ['users', 'realm'], ['postgresql', 'redis', 'rabbitmq', 's3', 'webhooks', 'traces']],
    ['users', ['realm', 'messaging'], ['postgresql', 'redis', 'rabbitmq', 's3', 'smtp', 'traces']],
    ['realm', ['users', 'messaging'], ['postgresql', 'redis', 'rabbitmq', 's3', 'traces']],
    ['events', ['users', 'realm', 'messaging'], ['redis', 'rabbitmq', 'traces']],
  ])('let %s call %j and %j alone', async (service, called, servers) => {
    expect(calls(service).sort()).toEqual([...called].sort())
    expect(serversOf(service).sort()).toEqual([...servers].sort())
    const declared = Object.keys(await settingsOf(service))
    const peers = services.filter((each) => declared.includes(`${each.toUpperCase()}_URL`))
    expect([...peers].sort()).toEqual([...called].sort())
  })

  test('have each arrow of the picture in README.md', () => {
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
      // Who reads the log connects to it, as who writes does.
      .map(([from, to]) => (named(from) === 'rabbitmq' ? [named(to), 'rabbitmq'] : [named(from), named(to)]))
      .filter(([from, to]) => ![...calls(`${from}`), ...serversOf(`${from}`)].includes(`${to}`))
    expect(arrows.length).toBeGreaterThan(10)
    expect(missing).toEqual([])
  })

  test.each(services)('let to %s whom others let out to it, and Prometheus', (service) => {
    const callers = services.filter((each) => calls(each).includes(service))
    const rules = rulesOf(service, 'ingress')
    expect(rules.flatMap(({ from }) => podsOf(from)).sort()).toEqual([...callers].sort())
    expect(rules.every(({ ports }) => ports.length === 1 && ports[0]?.port === 8080)).toBe(true)
    expect(rules).toHaveLength(2)
  })

  const peersAt = (name: string, port: number) =>
    rulesOf(name, 'egress')
      .filter(({ ports }) => ports.some((each) => each.port === port))
      .flatMap(({ to }) => to ?? [])

  // Cilium takes an address for one outside of the cluster.
  test.each([
    ['messaging', 5432],
    ['migrations', 5432],
    ['gateway', 6379],
    ['events', 5672],
    ['users', 587],
  ])('let %s to a server at %i wherever it is, in the cluster and out of it', (name, port) => {
    expect(peersAt(name, port)).toEqual([
      { namespaceSelector: {} },
      { ipBlock: { cidr: '0.0.0.0/0' } },
      { ipBlock: { cidr: '::/0' } },
    ])
  })

  test('let messaging into no private network at the ports of webhooks, whatever else they are for', () => {
    const webhooks = peersAt('messaging', 80)
    expect(webhooks.map(({ ipBlock }) => ipBlock)).toEqual([
      { cidr: '0.0.0.0/0', except: expect.arrayContaining(['10.0.0.0/8', '192.168.0.0/16']) },
      { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] },
    ])
    expect(peersAt('messaging', 443)).toEqual([...webhooks, ...webhooks])
  })

  test('let migrations to PostgreSQL alone', () => {
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

  test('waits for held polls and takes files of any size that the API takes', () => {
    const annotations = ingress.metadata.annotations ?? {}
    expect(Number(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout'])).toBeGreaterThan(90)
    expect(annotations['nginx.ingress.kubernetes.io/proxy-body-size']).toBe('26m')
  })

  test('leads to what clients may ask for, and not to metrics and health', () => {
    const paths = rule?.http.paths ?? []
    expect(paths).toContainEqual(expect.objectContaining({ path: '/api', pathType: 'Prefix' }))
    expect(paths.filter(({ path, pathType }) => path === '/' && pathType !== 'Exact')).toEqual([])
    expect(paths.filter(({ path }) => /metrics|health/.test(path))).toEqual([])
  })

  test('is for the host that clients use and those of the organizations below it, whatever it is', () => {
    const chart = renderChart('production', ['settings.EXTERNAL_HOST="team.example.org"'])
    const rules = chart.find(({ kind }) => kind === 'Ingress')?.spec.rules as { host: string }[]
    expect(rules.map(({ host }) => host)).toEqual(['team.example.org', '*.team.example.org'])
  })
})
