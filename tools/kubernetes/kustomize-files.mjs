// deploy/kubernetes: a base, parts that an overlay may add, and overlays.
import { components } from './components.mjs'
import { monitoring } from './monitoring.mjs'
import { ingressOf, networkPolicies } from './network.mjs'
import { overlays } from './overlays.mjs'
import { eventsScaledObject, horizontalAutoscaler } from './scaling.mjs'
import { externalSecret } from './secrets.mjs'
import { keysOf, SECRETS, SETTINGS } from './settings.mjs'
import { CHART, kustomizeTarget, NAMESPACE } from './targets.mjs'
import { deploymentsWithTls, patchesWithTls } from './tls.mjs'
import { withValues } from './values.mjs'
import { migrationOf, workloadOf } from './workloads.mjs'
import { toYaml } from './yaml.mjs'

const HEADER = '# Written by tools/kubernetes.mjs; change its sources, not this file.\n'
const kustomization = (kind, body) => {
  const apiVersion = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`
  return HEADER + toYaml({ apiVersion, kind, ...body })
}
const documents = (objects) => HEADER + objects.map(toYaml).join('---\n')
/** A host may be said with its port, which an Ingress has no place for. */
const hostsOf = (host) => [host, `*.${host}`].map((name) => name.replace(/:\d+$/, ''))
const PREPARE = { 'app.kubernetes.io/part-of': CHART, 'tms-step': 'prepare' }

/** Every file below deploy/kubernetes that is generated, by path. */
export function kustomizeFiles(facts) {
  const files = {}
  const names = Object.keys(components)
  const t = kustomizeTarget(facts.values, facts.version)
  const { settingsByService } = facts

  for (const name of names)
    files[`base/${name}.yaml`] = documents(workloadOf(name, settingsByService[name], t))
  const migrating = names.filter((name) => components[name].migrates)
  files['base/migrations.yaml'] = documents(
    migrating.map((name) => migrationOf(name, settingsByService[name], t)),
  )
  files['base/network-policies.yaml'] = documents(networkPolicies(settingsByService, t))
  files['base/ingress.yaml'] = documents([ingressOf(facts.publicPaths, hostsOf('chat.example.com'), t)])
  files['base/settings.env'] = settingsReference(facts)
  files['base/kustomization.yaml'] = kustomization('Kustomization', {
    resources: Object.keys(files)
      .filter((path) => path.endsWith('.yaml'))
      .map((path) => path.slice('base/'.length))
      .sort(),
    configMapGenerator: [{ name: SETTINGS, envs: ['settings.env'], options: { labels: PREPARE } }],
  })
  return { ...files, ...parts(facts, t), ...overlayFiles(facts) }
}

/** All that can be set, with its meaning; those of the base are set. */
function settingsReference({ settingsByService, values }) {
  const entries = keysOf(settingsByService, 'settings').map(
    ({ key, description, fallback, services, isRequired }) => {
      const value = values.settings[key]
      const shown = fallback === undefined || fallback === null ? '' : fallback
      const line = value === undefined ? `#${key}=${isRequired ? '' : shown}` : `${key}=${value}`
      return `# ${services.join(', ')}: ${description}${isRequired ? ' Has to be set.' : ''}\n${line}\n`
    },
  )
  return `${HEADER}# All settings; what is commented out has the value shown unless an overlay's settings.env says otherwise.\n\n${entries.join('\n')}`
}

function parts({ settingsByService, values, version }, t) {
  const secure = kustomizeTarget(withValues(values, { 'tls.enabled': true }), version)
  const withTls = deploymentsWithTls(settingsByService, t, secure)
  const names = Object.keys(components)
  return {
    'components/autoscaling/autoscalers.yaml': documents(names.map((name) => horizontalAutoscaler(name, t))),
    'components/autoscaling/kustomization.yaml': kustomization('Component', {
      resources: ['autoscalers.yaml'],
      // Else every apply would set the number back.
      patches: [
        {
          target: { kind: 'Deployment', labelSelector: `app.kubernetes.io/part-of=${CHART}` },
          patch: '[{ "op": "remove", "path": "/spec/replicas" }]',
        },
      ],
    }),
    'components/keda/events.yaml': documents([eventsScaledObject(t)]),
    'components/keda/kustomization.yaml': kustomization('Component', {
      resources: ['events.yaml'],
      // Two autoscalers of one Deployment would work against each other. Fails unless `autoscaling` stands before it.
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
    'components/monitoring/monitoring.yaml': documents(monitoring(settingsByService, t)),
    'components/monitoring/kustomization.yaml': kustomization('Component', {
      resources: ['monitoring.yaml'],
    }),
    ...Object.fromEntries(
      withTls.map((patch) => [`components/tls/${patch.metadata.name}.yaml`, documents([patch])]),
    ),
    'components/tls/kustomization.yaml': kustomization('Component', {
      patches: [
        ...withTls.map(({ metadata }) => ({ path: `${metadata.name}.yaml` })),
        ...patchesWithTls(settingsByService, secure),
      ],
    }),
    'components/external-secret/secrets.yaml': documents([externalSecret(settingsByService, t)]),
    'components/external-secret/kustomization.yaml': kustomization('Component', {
      resources: ['secrets.yaml'],
    }),
  }
}

/**
 * Brings the overlay's namespace into what Prometheus is asked. Here, since parts don't know yet where they will be; those
 * that an overlay hasn't are passed over.
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

function overlayFiles(facts) {
  const files = {}
  for (const [name, overlay] of Object.entries(overlays)) {
    const values = withValues(facts.values, overlay.values)
    const hosts = hostsOf(overlay.settings.EXTERNAL_HOST)
    const replaced = Object.keys(overlay.values)
    const settings = Object.entries(overlay.settings).map(([key, value]) => `${key}=${value}\n`)
    const patches = Object.keys(components)
      .filter((component) => replaced.includes(`${component}.resources`))
      .map((component) => ({
        target: { kind: 'Deployment', name: component },
        patch: JSON.stringify([
          {
            op: 'replace',
            path: '/spec/template/spec/containers/0/resources',
            value: values[component].resources,
          },
        ]),
      }))
    const rules = hosts.map((host, index) => ({
      op: 'replace',
      path: `/spec/rules/${index}/host`,
      value: host,
    }))
    files[`overlays/${name}/settings.env`] = settings.join('')
    files[`overlays/${name}/namespace.yaml`] = documents([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: NAMESPACE,
          labels: { ...PREPARE, 'pod-security.kubernetes.io/enforce': 'restricted' },
        },
      },
    ])
    files[`overlays/${name}/kustomization.yaml`] = `# ${overlay.about}\n${kustomization('Kustomization', {
      namespace: NAMESPACE,
      resources: ['../../base', 'namespace.yaml'],
      components:
        overlay.parts.length > 0 ? overlay.parts.map((part) => `../../components/${part}`) : undefined,
      configMapGenerator: [{ name: SETTINGS, behavior: 'merge', envs: ['settings.env'] }],
      secretGenerator: overlay.makesSecret
        ? [{ name: SECRETS, envs: ['secrets.env'], options: { labels: PREPARE } }]
        : undefined,
      replicas: Object.keys(components)
        .filter((component) => replaced.includes(`${component}.replicas`))
        .map((component) => ({ name: component, count: values[component].replicas })),
      images: Object.values(components).map(({ image }) => ({
        name: image,
        newName: image,
        newTag: facts.version,
      })),
      patches: [
        ...patches,
        {
          target: { kind: 'Ingress', name: 'gateway' },
          patch: JSON.stringify([{ op: 'replace', path: '/spec/tls/0/hosts', value: hosts }, ...rules]),
        },
      ],
      replacements: [namespaceInQueries],
    })}`
  }
  return files
}
