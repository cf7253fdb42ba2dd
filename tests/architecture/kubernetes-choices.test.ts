import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dashboards, queriesOf } from './support/dashboards.ts'
import { type KubernetesObject, renderChart, renderOverlay } from './support/kubernetes-renderings.ts'
import { listFiles, read } from './support/repository.ts'

// The options of an installation take effect: by values of the chart, and in a copy of an overlay.

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
}
interface Egress {
  readonly ports: readonly { readonly port: number }[]
}
const findIn = (objects: readonly KubernetesObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name) as KubernetesObject
const rulesIn = (objects: readonly KubernetesObject[]) =>
  objects
    .filter(({ kind }) => kind === 'PrometheusRule')
    .flatMap(({ spec }) => spec.groups as { rules: Rule[] }[])
    .flatMap(({ rules }) => rules)
const portsOf = ({ spec }: KubernetesObject) =>
  (spec.egress as Egress[]).flatMap(({ ports }) => ports.map(({ port }) => port))
const queriesIn = (objects: readonly KubernetesObject[]) =>
  objects
    .filter(({ kind }) => kind === 'ScaledObject')
    .flatMap(({ spec }) => spec.triggers as { metadata: { query?: string } }[])
    .flatMap(({ metadata }) => metadata.query ?? [])
/** The example in docs/kubernetes.md that begins with the given comment. */
function exampleOf(comment: string): string {
  const blocks = [...read('docs/kubernetes.md').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
    ([, block]) => `${block}`,
  )
  return blocks.find((block) => block.startsWith(`# ${comment}`)) ?? ''
}

const staging = renderOverlay('production', { namespace: 'staging', parts: ['keda', 'external-secret'] })
const chart = renderChart('production', ['keda.enabled=true'])

describe('a copy of an overlay with another namespace', () => {
  test('queries Prometheus for its own series only', () => {
    const [inStaging, inChart] = [staging, chart].map((objects) => [
      ...rulesIn(objects).map(({ expr }) => expr),
      ...queriesIn(objects),
    ])
    expect(inStaging?.filter((query) => !query.includes('namespace="staging"'))).toEqual([])
    // The chart knows its namespace wherever it is installed.
    expect(inStaging).toEqual(
      inChart?.map((query) => query.replaceAll('namespace="chat"', 'namespace="staging"')),
    )
    expect(inStaging?.length).toBeGreaterThan(10)
  })

  test('has alerts that differ from those of other installations', () => {
    expect(new Set(rulesIn(staging).map(({ labels }) => labels.namespace))).toEqual(new Set(['staging']))
    expect(new Set(rulesIn(chart).map(({ labels }) => labels.namespace))).toEqual(new Set(['chat']))
  })
})

test('the alert of a service that is down names the service', () => {
  const down = rulesIn(chart).filter(({ alert }) => alert === 'TmsServiceDown')
  expect(down).toHaveLength(5)
  for (const { expr, labels } of down) expect(expr).toContain(`job="${labels.job}"`)
})

describe('a Secret from an external store', () => {
  test.each([
    ['kustomize', staging],
    ['Helm', renderChart('production', ['secrets.existing=""', 'secrets.external.enabled=true'])],
  ])('contains every entry including optional keys, and requires the required ones: %s', (_, objects) => {
    const external = objects.find(({ kind }) => kind === 'ExternalSecret') as KubernetesObject
    expect(external.spec.dataFrom).toEqual([{ extract: { key: 'team-messaging' } }])
    const named = (external.spec.data as { secretKey: string }[]).map(({ secretKey }) => secretKey)
    expect(named).toContain('REDIS_URL')
    expect(named).not.toContain('TLS_CA')
  })
})

describe('ports of servers', () => {
  test('follow the chart values, for services and migrations', () => {
    const objects = renderChart('small', [
      'secrets.existing="tms-secrets"',
      'networkPolicies.ports.postgresql=[6432, 6433]',
      'networkPolicies.ports.smtp=[25]',
    ])
    expect(portsOf(findIn(objects, 'NetworkPolicy', 'tms-migrations'))).toEqual([6432, 6433])
    const ofUsers = portsOf(findIn(objects, 'NetworkPolicy', 'tms-users'))
    expect(ofUsers).toEqual(expect.arrayContaining([6432, 6433, 25]))
    for (const usual of [5432, 465, 587]) expect(ofUsers).not.toContain(usual)
  })

  test.each(['[]', '[70000]', '["6432"]'])('are rejected as %s', (ports) => {
    expect(() => renderChart('production', [`networkPolicies.ports.redis=${ports}`])).toThrow('redis')
  })

  test('are opened by a policy beside an overlay, as docs/kubernetes.md describes', () => {
    const policy = exampleOf('overlays/mine/pgbouncer.yaml')
    const objects = renderOverlay('production', {
      files: { 'pgbouncer.yaml': policy },
      kustomization: { resources: ['pgbouncer.yaml'] },
    })
    const { spec, metadata } = findIn(objects, 'NetworkPolicy', 'pgbouncer')
    expect([metadata.labels?.['tms-step'], metadata.namespace]).toEqual(['prepare', 'team-messaging'])
    expect(portsOf({ spec } as KubernetesObject)).toEqual([6432])
    const { matchExpressions } = spec.podSelector as { matchExpressions: { values: string[] }[] }
    const pods = objects
      .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
      .map((object) => object.spec.template as KubernetesObject)
      .map((template) => `${template.metadata.labels?.['app.kubernetes.io/name']}`)
    const chosen = matchExpressions[0]?.values ?? []
    const withDatabase = pods.filter((name) => !['gateway', 'events'].includes(name))
    expect(new Set(chosen)).toEqual(new Set(withDatabase))
  })
})

describe('replies by mail', () => {
  const portsAt = (settings: readonly string[]) => {
    const objects = renderChart('small', ['secrets.existing="tms-secrets"', ...settings])
    const { ports } = findIn(objects, 'Service', 'tms-users').spec as {
      ports: { name: string; port: number }[]
    }
    const policy = findIn(objects, 'NetworkPolicy', 'tms-users').spec as {
      ingress: { from: object[]; ports: { port: number }[] }[]
    }
    return {
      service: ports.find(({ name }) => name === 'replies')?.port,
      sources: policy.ingress.filter(({ ports: [first] }) => first?.port === 2525).map(({ from }) => from),
    }
  }

  test('reach users at a port of its own, from the mail server alone', () => {
    expect(portsAt(['settings.MAIL_REPLY_ADDRESS="reply+%s@mail.example.com"'])).toEqual({
      service: 2525,
      sources: [[{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'mail' } } }]],
    })
  })

  test('reach nothing unless there is an address for them', () => {
    expect(portsAt([])).toEqual({ service: undefined, sources: [] })
  })
})

describe('labels of monitors and alerts', () => {
  const labelled = (objects: readonly KubernetesObject[]) =>
    objects
      .filter(({ kind }) => ['ServiceMonitor', 'PrometheusRule'].includes(kind))
      .map(({ metadata }) => metadata.labels?.release)
  const expected = Array.from({ length: 6 }, () => 'kube-prometheus-stack')

  test('follow the chart values', () => {
    expect(
      labelled(renderChart('production', ['monitoring.labels={"release":"kube-prometheus-stack"}'])),
    ).toEqual(expected)
  })

  test('follow the patch of an overlay, as docs/kubernetes.md describes', () => {
    const kustomization = parse(exampleOf('into overlays/mine/kustomization.yaml')) as Record<
      string,
      unknown[]
    >
    expect(labelled(renderOverlay('production', { kustomization }))).toEqual(expected)
  })
})

describe('labels of metrics', () => {
  interface Relabeling {
    readonly action: string
    readonly targetLabel?: string
    readonly regex?: string
  }
  /** The labels that the operator adds to a target of a ServiceMonitor, before the monitor's own relabelings. */
  const OPERATORS = ['namespace', 'service', 'pod', 'container', 'job', 'endpoint']
  const ours = [...listFiles('services'), ...listFiles('libs')]
    .filter((path) => /\/src\/.*\.ts$/.test(path))
    .flatMap((path) => [...read(path).matchAll(/labelNames: \[([^\]]*)\]|setDefaultLabels\(\{([^}]*)\}/g)])
    .flatMap(([, names, defaults]) => `${names ?? defaults}`.match(/\w+/g) ?? [])
  const queries = [
    ...rulesIn(chart).map(({ expr }) => expr),
    ...dashboards.flatMap(queriesOf).map(({ expr }) => expr),
    // Prometheus' own series, with its own labels.
  ].filter((expr) => !expr.includes('ALERTS{'))
  const requests = new Set(
    queries
      .flatMap((expr) => [
        ...[...expr.matchAll(/(\w+) ?(?:=~?|!=|!~) ?"/g)].map(([, label]) => `${label}`),
        ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels]) => labels?.split(/, ?/) ?? []),
      ])
      .filter((label) => label !== 'le'),
  )
  const monitors = [
    ...renderOverlay('production'),
    ...renderOverlay('production', { parts: ['tls'] }),
    ...chart,
  ].filter(({ kind }) => kind === 'ServiceMonitor')

  test('stay visible beside those of the operator, and match the queries of alerts and dashboards', () => {
    expect(ours).toEqual(expect.arrayContaining(['endpoint', 'status', 'upstream', 'service']))
    expect(monitors).toHaveLength(15)
    for (const { spec } of monitors) {
      const [{ relabelings }] = spec.endpoints as [{ relabelings: Relabeling[] }]
      const dropped = relabelings
        .filter(({ action }) => action === 'labeldrop')
        .map(({ regex }) => new RegExp(`^(?:${regex})$`))
      const given = [...OPERATORS, 'instance'].filter((label) => !dropped.some((each) => each.test(label)))
      expect(given.filter((label) => ours.includes(label))).toEqual([])
      expect(given).toEqual(expect.arrayContaining(['job', 'namespace', 'pod', 'instance']))
      expect([...requests].filter((label) => !given.includes(label) && !ours.includes(label))).toEqual([])
    }
  })
})

describe('KEDA', () => {
  test.each([
    ['kustomize', staging, renderOverlay('production')],
    ['Helm', chart, renderChart('production')],
  ])('takes over the existing autoscaler of events: %s', (_, withKeda, without) => {
    const scaled = withKeda.find(({ kind }) => kind === 'ScaledObject') as KubernetesObject
    expect(scaled.metadata.annotations?.['scaledobject.keda.sh/transfer-hpa-ownership']).toBe('true')
    const { horizontalPodAutoscalerConfig } = scaled.spec.advanced as {
      horizontalPodAutoscalerConfig: { name: string }
    }
    const autoscalersOfEvents = (objects: readonly KubernetesObject[]) =>
      objects
        .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.endsWith('events'))
    expect(autoscalersOfEvents(without)).toEqual([horizontalPodAutoscalerConfig.name])
    expect(autoscalersOfEvents(withKeda)).toEqual([])
  })
})

test('migrations have the deadline of the chart values', () => {
  const jobs = renderChart('production', ['migrations.deadlineSeconds=14400']).filter(
    ({ kind }) => kind === 'Job',
  )
  expect(jobs.map(({ spec }) => spec.activeDeadlineSeconds)).toEqual([14_400, 14_400, 14_400])
})

test('an Ingress uses the host name, even if clients use a port', () => {
  const objects = renderChart('production', ['settings.EXTERNAL_HOST="chat.example.org:8443"'])
  const { rules, tls } = findIn(objects, 'Ingress', 'tms-gateway').spec as {
    rules: { host: string }[]
    tls: { hosts: string[] }[]
  }
  expect(rules.map(({ host }) => host)).toEqual(['chat.example.org', '*.chat.example.org'])
  expect(tls[0]?.hosts).toEqual(['chat.example.org', '*.chat.example.org'])
  expect(findIn(objects, 'ConfigMap', 'tms-settings').data?.EXTERNAL_HOST).toBe('chat.example.org:8443')
})

test.each(['https://chat.example.org/', 'chat example', ''])('the chart rejects %j as the host', (host) => {
  expect(() => renderChart('production', [`settings.EXTERNAL_HOST=${JSON.stringify(host)}`])).toThrow(
    'EXTERNAL_HOST',
  )
})

test('the chart supports another ingress controller with the values in docs/kubernetes.md', () => {
  const { ingress, networkPolicies } = parse(exampleOf('values of this chart, for Traefik')) as {
    ingress: { className: string }
    networkPolicies: { clients: unknown }
  }
  const objects = renderChart('production', [
    `ingress=${JSON.stringify(ingress)}`,
    `networkPolicies=${JSON.stringify(networkPolicies)}`,
  ])
  expect(findIn(objects, 'Ingress', 'tms-gateway').spec.ingressClassName).toBe('traefik')
  const [clients] = findIn(objects, 'NetworkPolicy', 'tms-gateway').spec.ingress as { from: unknown }[]
  expect(clients?.from).toEqual(networkPolicies.clients)
})

describe('TLS between pods', () => {
  interface Variable {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly secretKeyRef?: Readonly<Record<string, unknown>> }
  }
  interface Container {
    readonly env: readonly Variable[]
    readonly livenessProbe: { readonly httpGet: { readonly scheme: string } }
    readonly readinessProbe: { readonly httpGet: { readonly scheme: string } }
    readonly startupProbe: { readonly httpGet: { readonly scheme: string } }
  }
  const containersOf = (objects: readonly KubernetesObject[], kind: string) =>
    objects
      .filter((object) => object.kind === kind)
      .map(
        ({ spec }) =>
          (spec.template as { spec: { containers: Container[] } }).spec.containers[0] as Container,
      )
  const valueOf = ({ env }: Container, wanted: string) => env.find(({ name }) => name === wanted)
  const small = renderOverlay('small', {
    kustomization: { components: ['../../components/tls'] },
  })

  test('is absent unless it is enabled', () => {
    for (const container of containersOf(chart, 'Deployment')) {
      expect(valueOf(container, 'SERVE_TLS')?.value).toBe('false')
      expect(container.readinessProbe.httpGet.scheme).toBe('HTTP')
      expect(valueOf(container, 'TLS_CA')?.valueFrom?.secretKeyRef?.optional).toBe(true)
    }
  })

  test.each([
    ['kustomize', small],
    ['Helm', renderChart('production', ['tls.enabled=true'])],
  ])('is used by all services, with the certificate of their Secret: %s', (_, objects) => {
    const containers = containersOf(objects, 'Deployment')
    expect(containers).toHaveLength(5)
    for (const container of containers) {
      expect(valueOf(container, 'SERVE_TLS')?.value).toBe('true')
      expect(container.env.filter(({ value }) => value?.startsWith('http:'))).toEqual([])
      const [certificate, key, authorities] = ['TLS_CERTIFICATE', 'TLS_KEY', 'TLS_CA'].map(
        (name) => valueOf(container, name)?.valueFrom?.secretKeyRef,
      )
      const own = { name: 'tms-services-tls', optional: false }
      expect([certificate, key]).toEqual([
        { ...own, key: 'tls.crt' },
        { ...own, key: 'tls.key' },
      ])
      const { secretKeyRef } = valueOf(container, 'INTERNAL_PRIVATE_KEY')?.valueFrom ?? {}
      expect(authorities).toEqual({ name: secretKeyRef?.name, key: 'TLS_CA', optional: false })
      for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const)
        expect(container[probe].httpGet.scheme).toBe('HTTPS')
    }
    const { annotations } = objects.find(({ kind }) => kind === 'Ingress')?.metadata ?? {}
    expect(annotations?.['nginx.ingress.kubernetes.io/backend-protocol']).toBe('HTTPS')
    // Migrations serve no requests; the Secret defines their connection to a database.
    for (const container of containersOf(objects, 'Job'))
      expect(valueOf(container, 'TLS_CERTIFICATE')?.valueFrom?.secretKeyRef).toMatchObject({
        key: 'TLS_CERTIFICATE',
        optional: true,
      })
  })

  test('is used for Prometheus as well, which addresses pods by the names of their services', () => {
    const monitors = renderChart('production', ['tls.enabled=true', 'tls.secret="pods"']).filter(
      ({ kind }) => kind === 'ServiceMonitor',
    )
    expect(monitors).toHaveLength(5)
    for (const { spec, metadata } of monitors)
      expect(spec.endpoints).toEqual([
        expect.objectContaining({
          scheme: 'https',
          tlsConfig: { ca: { secret: { name: 'pods', key: 'ca.crt' } }, serverName: metadata.name },
        }),
      ])
  })
})
