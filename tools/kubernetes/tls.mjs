// The kustomize component that makes services serve over TLS, as patches.
import { components } from './components.mjs'
import { monitoring } from './monitoring.mjs'
import { createContainer } from './workloads.mjs'

/** Patches of each component's Deployment: the differences between the targets `plain` and `secure`. */
export function createTlsDeploymentPatches(settingsByService, plain, secure) {
  return Object.keys(components).map((name) => {
    const [before, after] = [plain, secure].map((target) =>
      createContainer(name, settingsByService[name], target),
    )
    const isNew = (variable, index) => JSON.stringify(variable) !== JSON.stringify(before.env[index])
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe']
    const container = {
      name,
      env: after.env.filter(isNew),
      ...Object.fromEntries(probes.map((probe) => [probe, { httpGet: after[probe].httpGet }])),
    }
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: { template: { spec: { containers: [container] } } },
    }
  })
}

/** Patches of other objects. Those that an overlay doesn't include are skipped. */
export function createOtherTlsPatches(settingsByService, secure) {
  const monitors = monitoring(settingsByService, secure)
    .filter(({ kind }) => kind === 'ServiceMonitor')
    .map(({ kind, metadata: { name }, spec }) =>
      replacing({ kind, name }, 'replace', '/spec/endpoints', spec.endpoints),
    )
  const annotation = '/metadata/annotations/nginx.ingress.kubernetes.io~1backend-protocol'
  return [...monitors, replacing({ kind: 'Ingress', name: 'gateway' }, 'add', annotation, 'HTTPS')]
}

const replacing = (target, op, path, value) => ({ target, patch: JSON.stringify([{ op, path, value }]) })
