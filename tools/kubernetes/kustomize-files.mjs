// deploy/kubernetes: a base, components that an overlay may add, and overlays.
import { components } from './components.mjs'
import { monitoring } from './monitoring.mjs'
import { createIngress, networkPolicies } from './network.mjs'
import { overlays } from './overlays.mjs'
import { eventsScaledObject, horizontalAutoscaler } from './scaling.mjs'
import { externalSecret } from './secrets.mjs'
import { listKeys, SECRETS, SETTINGS } from './settings.mjs'
import { CHART, kustomizeTarget, NAMESPACE } from './targets.mjs'
import { createOtherTlsPatches, createTlsDeploymentPatches } from './tls.mjs'
import { withValues } from './values.mjs'
import { createMigration, createWorkload } from './workloads.mjs'
import { toYaml } from './yaml.mjs'

const HEADER = '# Written by tools/kubernetes.ts; change its sources, not this file.\n'
const kustomization = (kind, body) => {
  const apiVersion = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`
  return HEADER + toYaml({ apiVersion, kind, ...body })
}
const documents = (objects) => HEADER + objects.map(toYaml).join('---\n')
/** Removes the port, which an Ingress can not have. */
const listHosts = (host) => [host, `*.${host}`].map((name) => name.replace(/:\d+$/, ''))
const PREPARE = { 'app.kubernetes.io/part-of': CHART, 'tms-step': 'prepare' }

/** Every generated file of deploy/kubernetes, by path. */
export function kustomizeFiles(inputs) {
  const files = {}
  const names = Object.keys(components)
  const target = kustomizeTarget(inputs.values, inputs.version)
  const { settingsByService } = inputs

  for (const name of names)
    files[`base/${name}.yaml`] = documents(createWorkload(name, settingsByService[name], target))
  const migrating = names.filter((name) => components[name].migrates)
  files['base/migrations.yaml'] = documents(
    migrating.map((name) => createMigration(name, settingsByService[name], target)),
  )
  files['base/network-policies.yaml'] = documents(networkPolicies(settingsByService, target))
  files['base/ingress.yaml'] = documents([
    createIngress(inputs.publicPaths, listHosts('chat.example.com'), target),
  ])
  files['base/settings.env'] = settingsReference(inputs)
  files['base/kustomization.yaml'] = kustomization('Kustomization', {
    resources: Object.keys(files)
      .filter((path) => path.endsWith('.yaml'))
      .map((path) => path.slice('base/'.length))
      .sort(),
    configMapGenerator: [{ name: SETTINGS, envs: ['settings.env'], options: { labels: PREPARE } }],
  })
  return { ...files, ...parts(inputs, target), ...overlayFiles(inputs) }
}

/** All settings with their descriptions; those of the base are set. */
function settingsReference({ settingsByService, values }) {
  const entries = listKeys(settingsByService, 'settings').map(
    ({ key, description, fallback, services, isRequired }) => {
      const value = values.settings[key]
      const shown = fallback === undefined || fallback === null ? '' : fallback
      const line = value === undefined ? `#${key}=${isRequired ? '' : shown}` : `${key}=${value}`
      return `# ${services.join(', ')}: ${description}${isRequired ? ' Required.' : ''}\n${line}\n`
    },
  )
  return `${HEADER}# All settings. A commented-out setting has the value shown unless an overlay's settings.env sets it.\n\n${entries.join('\n')}`
}

function parts({ settingsByService, values, version }, target) {
  const secure = kustomizeTarget(withValues(values, { 'tls.enabled': true }), version)
  const withTls = createTlsDeploymentPatches(settingsByService, target, secure)
  const names = Object.keys(components)
  return {
    'components/autoscaling/autoscalers.yaml': documents(
      names.map((name) => horizontalAutoscaler(name, target)),
    ),
    'components/autoscaling/kustomization.yaml': kustomization('Component', {
      resources: ['autoscalers.yaml'],
      // Otherwise every apply would reset the number of replicas.
      patches: [
        {
          target: { kind: 'Deployment', labelSelector: `app.kubernetes.io/part-of=${CHART}` },
          patch: '[{ "op": "remove", "path": "/spec/replicas" }]',
        },
      ],
    }),
    'components/keda/events.yaml': documents([eventsScaledObject(target)]),
    'components/keda/kustomization.yaml': kustomization('Component', {
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
    'components/monitoring/monitoring.yaml': documents(monitoring(settingsByService, target)),
    'components/monitoring/kustomization.yaml': kustomization('Component', {
      resources: ['monitoring.yaml'],
    }),
    ...Object.fromEntries(
      withTls.map((patch) => [`components/tls/${patch.metadata.name}.yaml`, documents([patch])]),
    ),
    'components/tls/kustomization.yaml': kustomization('Component', {
      patches: [
        ...withTls.map(({ metadata }) => ({ path: `${metadata.name}.yaml` })),
        ...createOtherTlsPatches(settingsByService, secure),
      ],
    }),
    'components/external-secret/secrets.yaml': documents([externalSecret(settingsByService, target)]),
    'components/external-secret/kustomization.yaml': kustomization('Component', {
      resources: ['secrets.yaml'],
    }),
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

function overlayFiles(inputs) {
  const files = {}
  for (const [name, overlay] of Object.entries(overlays)) {
    const values = withValues(inputs.values, overlay.values)
    const hosts = listHosts(overlay.settings.EXTERNAL_HOST)
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
        newTag: inputs.version,
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
