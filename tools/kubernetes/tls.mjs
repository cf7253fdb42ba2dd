// The part of kustomize that lets services answer over TLS: what differs then.
import { components } from './components.mjs'
import { monitoring } from './monitoring.mjs'
import { containerOf } from './workloads.mjs'

/** What is merged into each component's Deployment, from what `plain` is written for to what `secure` is. */
export function deploymentsWithTls(settingsByService, plain, secure) {
  return Object.keys(components).map((name) => {
    const [before, after] = [plain, secure].map((t) => containerOf(name, settingsByService[name], t))
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

/** Patches of all that isn't a Deployment; those of parts that an overlay hasn't are passed over. */
export function patchesWithTls(settingsByService, secure) {
  const monitors = monitoring(settingsByService, secure)
    .filter(({ kind }) => kind === 'ServiceMonitor')
    .map(({ kind, metadata: { name }, spec }) =>
      replacing({ kind, name }, 'replace', '/spec/endpoints', spec.endpoints),
    )
  const annotation = '/metadata/annotations/nginx.ingress.kubernetes.io~1backend-protocol'
  return [...monitors, replacing({ kind: 'Ingress', name: 'gateway' }, 'add', annotation, 'HTTPS')]
}

const replacing = (target, op, path, value) => ({ target, patch: JSON.stringify([{ op, path, value }]) })
