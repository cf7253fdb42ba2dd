// The generated files of deploy/kubernetes: what the chart renders, as a base, components that an overlay may add, and overlays.
import { basename } from 'node:path'
import { components as names } from './components.ts'
import type { Example, KubernetesObject, Render } from './render-chart.ts'
import { listKeys, type SettingsByService } from './settings.ts'
import { createTlsDeploymentPatch, createTlsPatches } from './tls-patches.ts'
import { toYaml } from './yaml.ts'

const SETTINGS = 'tms-settings'
const SECRETS = 'tms-secrets'
const PART_OF = { 'app.kubernetes.io/part-of': 'team-messaging-service' }
const PREPARE = { ...PART_OF, 'tms-step': 'prepare' }

const kustomization = (kind: 'Kustomization' | 'Component', body: object) => {
  const apiVersion = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`
  return toYaml({ apiVersion, kind, ...body })
}

interface Inputs {
  render: Render
  examples: readonly Example[]
  /** Settings that the chart sets. */
  defaults: Record<string, string>
  settingsByService: SettingsByService
  version: string
}

/** The files by path. */
export function kustomizeFiles(inputs: Inputs): Record<string, string> {
  return {
    ...baseFiles(inputs),
    ...componentFiles(inputs.render),
    ...Object.assign({}, ...inputs.examples.map((example) => overlayFiles(example, inputs.version))),
  }
}

function baseFiles({ render, defaults, settingsByService }: Inputs): Record<string, string> {
  const objects = render({})
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind)
  const workloadOf = (name: string) =>
    ['ServiceAccount', 'Service', 'Deployment', 'PodDisruptionBudget'].flatMap((kind) =>
      ofKind(kind).filter(({ metadata }) => metadata.name === name),
    )
  const files = {
    ...Object.fromEntries(names.map((name) => [`base/${name}.yaml`, toYaml(...workloadOf(name))])),
    'base/migrations.yaml': toYaml(...ofKind('Job')),
    // apply.sh applies policies before the migrations, which need none of their own.
    'base/network-policies.yaml': toYaml(
      ...ofKind('NetworkPolicy').filter(({ metadata }) => metadata.name !== 'migrate'),
    ),
    'base/ingress.yaml': toYaml(...ofKind('Ingress')),
  }
  return {
    ...files,
    'base/settings.env': settingsReference(settingsByService, defaults),
    'base/kustomization.yaml': kustomization('Kustomization', {
      resources: Object.keys(files)
        .map((path) => basename(path))
        .sort(),
      configMapGenerator: [{ name: SETTINGS, envs: ['settings.env'], options: { labels: PREPARE } }],
    }),
  }
}

/** All settings with their descriptions; those of the base are set. */
function settingsReference(settingsByService: SettingsByService, defaults: Record<string, string>): string {
  const entries = listKeys(settingsByService, 'setting').map((setting) => {
    const { key, description, fallback, services, isRequired } = setting
    const value = defaults[key]
    const line = value === undefined ? `#${key}=${isRequired ? '' : (fallback ?? '')}` : `${key}=${value}`
    return `# ${services.join(', ')}: ${description}${isRequired ? ' Required.' : ''}\n${line}\n`
  })
  return `# All settings. A commented-out setting has the value shown unless an overlay's settings.env sets it.\n\n${entries.join('\n')}`
}

function componentFiles(render: Render): Record<string, string> {
  const parts = { autoscaling: { enabled: true }, monitoring: { enabled: true } }
  const plain = render(parts)
  const secure = render({ ...parts, tls: { enabled: true } })
  const withKeda = render({ ...parts, keda: { enabled: true } })
  const withStore = render({ secrets: { existing: '', external: { enabled: true } } })
  const only = (objects: readonly KubernetesObject[], ...kinds: string[]) =>
    toYaml(...objects.filter(({ kind }) => kinds.includes(kind)))
  const component = (body: object) => kustomization('Component', body)
  const withTls = names.map((name) => createTlsDeploymentPatch(name, plain, secure))
  return {
    'components/autoscaling/autoscalers.yaml': only(plain, 'HorizontalPodAutoscaler'),
    'components/autoscaling/kustomization.yaml': component({
      resources: ['autoscalers.yaml'],
      // Otherwise every apply would reset the number of replicas.
      patches: [
        {
          target: { kind: 'Deployment', labelSelector: Object.entries(PART_OF).flat().join('=') },
          patch: '[{ "op": "remove", "path": "/spec/replicas" }]',
        },
      ],
    }),
    'components/keda/events.yaml': only(withKeda, 'ScaledObject'),
    'components/keda/kustomization.yaml': component({
      resources: ['events.yaml'],
      // Two autoscalers of one Deployment would conflict. Fails unless the component `autoscaling` comes before this one.
      patches: [
        {
          patch: toYaml({
            $patch: 'delete',
            apiVersion: 'autoscaling/v2',
            kind: 'HorizontalPodAutoscaler',
            metadata: { name: 'events' },
          }),
        },
      ],
    }),
    'components/monitoring/monitoring.yaml': only(plain, 'ServiceMonitor', 'PrometheusRule'),
    'components/monitoring/kustomization.yaml': component({ resources: ['monitoring.yaml'] }),
    'components/tls/deployments.yaml': toYaml(...withTls),
    'components/tls/kustomization.yaml': component({
      patches: [{ path: 'deployments.yaml' }, ...createTlsPatches(secure)],
    }),
    'components/external-secret/secrets.yaml': only(withStore, 'ExternalSecret'),
    'components/external-secret/kustomization.yaml': component({ resources: ['secrets.yaml'] }),
  }
}

/**
 * Puts the overlay's namespace into queries for Prometheus, since components don't know it. Objects that an overlay doesn't
 * include are skipped.
 */
const namespaceInQueries = {
  source: { kind: 'Deployment', name: 'gateway', fieldPath: 'metadata.namespace' },
  targets: [
    {
      select: { kind: 'PrometheusRule', name: 'alerts' },
      fieldPaths: ['spec.groups.*.rules.*.labels.namespace'],
    },
    {
      select: { kind: 'PrometheusRule', name: 'alerts' },
      fieldPaths: ['spec.groups.*.rules.*.expr'],
      options: { delimiter: '"', index: 1 },
    },
    {
      select: { kind: 'ScaledObject', name: 'events' },
      fieldPaths: ['spec.triggers.[type=prometheus].metadata.query'],
      options: { delimiter: '"', index: 1 },
    },
  ],
}

/** An example of the chart as an overlay. */
function overlayFiles({ name, about, values }: Example, version: string): Record<string, string> {
  const host = values.settings.EXTERNAL_HOST ?? ''
  const parts = (['autoscaling', 'monitoring'] as const).filter((part) => values[part]?.enabled)
  const changed = names.flatMap((component) => {
    const { replicas, resources } = values[component] ?? {}
    return replicas === undefined && resources === undefined ? [] : [{ component, replicas, resources }]
  })
  const hosts = [host, `*.${host}`]
  const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })
  const namespace = 'team-messaging'
  const folder = `overlays/${name}`
  return {
    [`${folder}/settings.env`]: Object.entries(values.settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
    [`${folder}/namespace.yaml`]: toYaml({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: namespace,
        labels: { ...PREPARE, 'pod-security.kubernetes.io/enforce': 'restricted' },
      },
    }),
    [`${folder}/kustomization.yaml`]: `# ${about}\n${kustomization('Kustomization', {
      namespace,
      resources: ['../../base', 'namespace.yaml'],
      components: parts.length === 0 ? undefined : parts.map((part) => `../../components/${part}`),
      configMapGenerator: [{ name: SETTINGS, behavior: 'merge', envs: ['settings.env'] }],
      secretGenerator: values.secrets?.existing
        ? undefined
        : [{ name: SECRETS, envs: ['secrets.env'], options: { labels: PREPARE } }],
      replicas:
        changed.length === 0
          ? undefined
          : changed.map(({ component, replicas }) => ({ name: component, count: replicas })),
      images: names.map((component) => ({
        name: `tms-${component}`,
        newName: `tms-${component}`,
        newTag: version,
      })),
      patches: [
        ...changed.map(({ component, resources }) => ({
          target: { kind: 'Deployment', name: component },
          patch: JSON.stringify([replace('/spec/template/spec/containers/0/resources', resources)]),
        })),
        {
          target: { kind: 'Ingress', name: 'gateway' },
          patch: JSON.stringify([
            replace('/spec/tls/0/hosts', hosts),
            ...hosts.map((each, index) => replace(`/spec/rules/${index}/host`, each)),
          ]),
        },
      ],
      replacements: [namespaceInQueries],
    })}`,
  }
}
