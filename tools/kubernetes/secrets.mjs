// Where the Secret comes from: kept by whoever installs, or fetched from a store by the external secrets operator.
import { keysOf } from './settings.mjs'
import { labelsOf } from './targets.mjs'

/**
 * Before the migrations, which read it, and as it was when a release goes back, before pods that read it. Helm makes it anew
 * each time, and leaves it when the release is removed.
 */
const FIRST = {
  'helm.sh/hook': 'pre-install,pre-upgrade,pre-rollback',
  'helm.sh/hook-weight': '-10',
  'helm.sh/hook-delete-policy': 'before-hook-creation',
}

/** Makes the Secret from all properties of one entry of a store, which are called like the keys. */
export function externalSecret(settingsByService, t) {
  const at = (key) => t.value(`secrets.external.${key}`)
  const required = keysOf(settingsByService, 'secret').filter(({ isRequired }) => isRequired)
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: {
      name: t.secrets,
      labels: labelsOf(t, 'secrets', 'prepare'),
      annotations: t.hook(FIRST),
    },
    spec: {
      refreshInterval: at('refreshInterval'),
      secretStoreRef: { name: at('storeName'), kind: at('storeKind') },
      // Helm makes this object anew at every upgrade, during which the Secret stays.
      target: { name: t.secrets, creationPolicy: 'Orphan' },
      dataFrom: [{ extract: { key: at('key') } }],
      // Named as well, so that an entry without one of them is complained of and leaves the Secret as it was.
      data: required.map(({ key }) => ({
        secretKey: key,
        remoteRef: { key: at('key'), property: key },
      })),
    },
  }
}

/** The Secret, from the chart's values; an overlay of kustomize generates its own. */
export function secretOfValues(t) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: t.secrets,
      labels: labelsOf(t, 'secrets', 'prepare'),
      annotations: t.hook(FIRST),
    },
    type: 'Opaque',
    stringData: t.value('secrets.values'),
  }
}
