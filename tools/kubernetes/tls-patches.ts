// The kustomize component that makes services serve over TLS, as patches: the differences between what the chart renders with
// and without it.
import type { Container, KubernetesObject } from './render-chart.ts'

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const

export function createTlsDeploymentPatch(
  name: string,
  plain: readonly KubernetesObject[],
  secure: readonly KubernetesObject[],
): object {
  const [before, after] = [plain, secure].map((objects) => containerOf(name, objects))
  const known = new Set(before?.env.map((variable) => JSON.stringify(variable)))
  const container = {
    name,
    env: after?.env.filter((variable) => !known.has(JSON.stringify(variable))),
    ...Object.fromEntries(PROBES.map((probe) => [probe, { httpGet: after?.[probe].httpGet }])),
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { template: { spec: { containers: [container] } } },
  }
}

/** Patches of other objects. Those that an overlay doesn't include are skipped. */
export function createTlsPatches(secure: readonly KubernetesObject[]): object[] {
  const monitors = secure
    .filter(({ kind }) => kind === 'ServiceMonitor')
    .map(({ kind, metadata: { name }, spec }) =>
      patchOf({ kind, name }, { op: 'replace', path: '/spec/endpoints', value: spec?.endpoints }),
    )
  const path = '/metadata/annotations/nginx.ingress.kubernetes.io~1backend-protocol'
  return [...monitors, patchOf({ kind: 'Ingress', name: 'gateway' }, { op: 'add', path, value: 'HTTPS' })]
}

const patchOf = (target: object, change: object) => ({ target, patch: JSON.stringify([change]) })

function containerOf(name: string, objects: readonly KubernetesObject[]): Container | undefined {
  const found = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)
  return found?.spec?.template?.spec.containers[0]
}
